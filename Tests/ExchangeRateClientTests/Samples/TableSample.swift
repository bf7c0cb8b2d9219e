/// Bodies of tables, shaped as upstream's, with values of our own.
enum TableSample {
    static let minimal = """
        {
          "result": "success",
          "base": "CHF",
          "source": "live",
          "market_session": "open",
          "timestamp": "2026-03-10T09:15:42Z",
          "data_updated_at": "2026-03-10T09:15:31Z",
          "rates": { "EUR": 1.0691, "SEK": 11.4302, "JPY": 186.77 }
        }
        """

    static let live = """
        {
          "result": "success",
          "base": "CHF",
          "source": "live",
          "sources": { "EUR": "live", "SEK": "live" },
          "effective_at": { "EUR": "2026-03-10T09:15:31Z", "SEK": "2026-03-10T09:15:29Z" },
          "market_session": "open",
          "timestamp": "2026-03-10T09:15:42Z",
          "data_updated_at": "2026-03-10T09:15:31Z",
          "rates": { "EUR": 1.0691, "SEK": 11.4302 },
          "notice": "Indicative rates, not for settlement."
        }
        """

    static let weekendMixed = """
        {
          "result": "success",
          "base": "CHF",
          "source": "live",
          "sources": { "EUR": "live", "HUF": "ecb_daily", "TWD": "fred_daily", "XYZ": "house_mix" },
          "effective_at": {
            "EUR": "2026-03-14T18:00:07Z", "HUF": "2026-03-13T15:00:00Z", "TWD": "2026-03-06T17:00:00Z"
          },
          "market_session": "weekend",
          "timestamp": "2026-03-14T18:00:40Z",
          "data_updated_at": "2026-03-14T18:00:07Z",
          "rates": { "EUR": 1.0702, "HUF": 421.18, "TWD": 35.902, "XYZ": 7 },
          "notice": "Indicative rates, not for settlement. Source: incl. ECB statistics."
        }
        """

    static let interbankClosed = """
        {"result":"success","base":"CHF","source":"live","sources":{"EUR":"live"},\
        "effective_at":{"EUR":"2026-03-10T21:58:02Z"},"market_session":"interbank-closed",\
        "timestamp":"2026-03-10T22:10:00Z","data_updated_at":"2026-03-10T21:58:02Z","rates":{"EUR":1.0688},\
        "notice":"Indicative rates, not for settlement."}
        """

    static let ecbDaily = """
        {"result":"success","base":"CHF","source":"ecb_daily","sources":{"PLN":"ecb_daily"},\
        "effective_at":{"PLN":"2026-03-09T15:00:00Z"},"market_session":"open",\
        "timestamp":"2026-03-10T08:00:00Z","data_updated_at":"2026-03-09T15:00:00Z","rates":{"PLN":4.5517},\
        "notice":"Indicative rates, not for settlement. Source: incl. ECB statistics."}
        """

    static let fredDaily = """
        {"result":"success","base":"USD","source":"fred_daily","sources":{"TWD":"fred_daily"},\
        "effective_at":{"TWD":"2026-03-06T17:00:00Z"},"market_session":"open",\
        "timestamp":"2026-03-12T08:00:00Z","data_updated_at":"2026-03-06T17:00:00Z","rates":{"TWD":31.07},\
        "notice":"Indicative rates, not for settlement."}
        """

    static let microseconds = """
        {"result":"success","base":"CHF","source":"live","sources":{"INR":"live"},\
        "effective_at":{"INR":"2026-03-14T11:02:03.040506Z"},"market_session":"weekend",\
        "timestamp":"2026-03-14T11:03:00.5Z","data_updated_at":"2026-03-14T11:02:03.040506Z",\
        "rates":{"INR":104.3321},"notice":"Indicative rates, not for settlement."}
        """

    static let smallNumbers = """
        {"result":"success","base":"IDR","source":"live","market_session":"open",\
        "timestamp":"2026-03-10T09:15:42Z","data_updated_at":"2026-03-10T09:15:31Z",\
        "rates":{"CHF":5.3217e-05,"KWD":1.877E-5,"KRW":0.089103,"JPY":0.0093}}
        """

    static let fromGateway = """
        {"result":"success","base":"CHF","source":"live","sources":{"EUR":"live"},\
        "effective_at":{"EUR":"2026-03-10T09:15:31Z"},"market_session":"open",\
        "timestamp":"2026-03-10T09:15:42Z","data_updated_at":"2026-03-10T09:15:31Z","rates":{"EUR":1.0691},\
        "notice":"Indicative rates, not for settlement.",\
        "cache":{"state":"stale","snapshot":"01KC3T5M9A-0d41c2b7","fetched_at":"2026-03-10T09:15:43.25Z",\
        "fresh_until":"2026-03-10T09:16:53.25Z","derivation":"inverse","reason":"cooldown","via":"USD"}}
        """

    /// As many symbols as one asks for, three letters each, with rates 1.0001, 2.0001 and so on.
    static func table(symbols count: Int) -> String {
        let letters = (65...90).map { String(UnicodeScalar(UInt8($0))) }
        let codes = (0..<count).map { "Q" + letters[$0 / 26] + letters[$0 % 26] }
        let sources = codes.map { "\"\($0)\":\"live\"" }.joined(separator: ",")
        let times = codes.map { "\"\($0)\":\"2026-03-10T09:15:31Z\"" }.joined(separator: ",")
        let rates = codes.enumerated().map { "\"\($1)\":\($0 + 1).0001" }.joined(separator: ",")
        return """
            {"result":"success","base":"CHF","source":"live","sources":{\(sources)},"effective_at":{\(times)},\
            "market_session":"open","timestamp":"2026-03-10T09:15:42Z","data_updated_at":"2026-03-10T09:15:31Z",\
            "rates":{\(rates)},"notice":"Indicative rates, not for settlement."}
            """
    }

    /// Every kind of table body by name.
    static let all = [
        ("minimal", minimal), ("live", live), ("weekendMixed", weekendMixed),
        ("interbankClosed", interbankClosed),
        ("ecbDaily", ecbDaily), ("fredDaily", fredDaily), ("microseconds", microseconds),
        ("smallNumbers", smallNumbers), ("fromGateway", fromGateway), ("30 symbols", table(symbols: 30)),
        ("167 symbols", table(symbols: 167)),
    ]
}
