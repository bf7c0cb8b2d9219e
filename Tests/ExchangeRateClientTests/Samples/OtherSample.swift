/// Bodies of single rates, conversions, currencies and accounts, shaped as upstream's, with values of our own.
enum OtherSample {
    static let direct = """
        {
          "result": "success",
          "pair": "chf-eur",
          "base": "CHF",
          "quote": "EUR",
          "rate": 1.0691,
          "source": "live",
          "sources": { "EUR": "live" },
          "market_session": "open",
          "timestamp": "2026-03-10T09:15:42Z",
          "data_updated_at": "2026-03-10T09:15:31Z",
          "derived": false,
          "derivation_bps_max": null,
          "notice": "Indicative rates, not for settlement."
        }
        """

    static let derived = """
        {"result":"success","pair":"CHF/MXN","base":"CHF","quote":"MXN","rate":21.3377,"source":"live",\
        "sources":{"MXN":"live"},"market_session":"open","timestamp":1773134142,\
        "data_updated_at":"2026-03-10T09:15:31Z","derived":true,"derivation_bps_max":0.7}
        """

    static let flatConversion = """
        {"result":"success","from":"CHF","to":"SEK","amount":250,"rate":11.4302,"converted":2857.55,\
        "derived":false,"derivation_bps_max":null,"source":"live","sources":{"SEK":"live"},\
        "market_session":"open","timestamp":"2026-03-10T09:15:42Z","data_updated_at":"2026-03-10T09:15:31Z",\
        "notice":"Indicative rates, not for settlement."}
        """

    static let wholeUnits = """
        {"result":"success","from":"CHF","to":"JPY","amount":7.35,"rate":186.77,"converted":1373,\
        "derived":true,"derivation_bps_max":1.1,"source":"live","market_session":"open",\
        "timestamp":"2026-03-10T09:15:42Z","data_updated_at":"2026-03-10T09:15:31Z"}
        """

    static let listOfOne = """
        {"result":"success","from":"CHF","conversions":[{"to":"SEK","amount":250,"converted":2857.55}],\
        "source":"live","sources":{"SEK":"live"},"data_updated_at":"2026-03-10T09:15:31Z"}
        """

    static let batch = """
        {
          "result": "success",
          "from": "CHF",
          "conversions": [
            { "to": "SEK", "amount": 20, "rate": 11.4302, "converted": 228.6, "derived": false, "source": "live" },
            { "to": "HUF", "amount": 7.5, "converted": 3158.85, "derived": true, "derivation_bps_max": 0.4 }
          ],
          "sources": { "SEK": "live", "HUF": "ecb_daily" },
          "source": "live",
          "market_session": "open",
          "timestamp": "2026-03-10T09:15:42Z",
          "data_updated_at": "2026-03-10T09:15:31Z",
          "notice": "Indicative rates, not for settlement."
        }
        """

    static let currencies = """
        {
          "result": "success",
          "currencies": [
            { "code": "CHF", "name": "Swiss Franc", "type": "fiat", "decimals": 2, "derived": false },
            { "code": "JPY", "name": "Japanese Yen", "type": "fiat", "decimals": 0, "derived": false },
            { "code": "BHD" }
          ]
        }
        """

    static let currencyMap = """
        {
          "SEK": { "name": "Swedish Krona", "type": "fiat", "decimals": 2, "derived": false },
          "CHF": { "name": "Swiss Franc", "type": "fiat", "decimals": 2, "derived": true }
        }
        """

    static let account = """
        {
          "result": "success",
          "email": "someone@example.org",
          "org": "Example AG",
          "key": "exr_live_****WXYZ",
          "usage": { "calls_this_month": 217, "limit": 10000, "resets_on": "2026-04-01" }
        }
        """
}
