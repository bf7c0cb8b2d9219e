/// Bodies of past days and ranges, shaped as upstream's, with values of our own.
enum HistorySample {
    static let day = """
        {
          "result": "success",
          "base": "CHF",
          "date": "2025-11-18",
          "source": "ecb_daily",
          "sources": { "EUR": "ecb_daily" },
          "timestamp": "2026-03-10T09:15:42Z",
          "data_updated_at": "2025-11-18T15:00:00Z",
          "rates": { "EUR": 1.0733 },
          "is_forward_filled": false,
          "notice": "Indicative rates, not for settlement. Source: incl. ECB statistics."
        }
        """

    static let forwardFilled = """
        {"result":"success","base":"CHF","date":"2025-11-22","source":"ecb_daily",\
        "timestamp":"2026-03-10T09:15:42Z","data_updated_at":"2025-11-21T15:00:00Z","rates":{"EUR":1.0741},\
        "is_forward_filled":true}
        """

    static let bare = #"{"result":"success","base":"EUR","source":"ecb_daily","rates":{"CHF":1.6155}}"#

    static let firstPage = """
        {
          "result": "success",
          "base": "CHF",
          "start_date": "2025-04-16",
          "end_date": "2025-04-23",
          "data": [
            { "date": "2025-04-17", "rates": { "EUR": 1.0752 }, "source": "ecb_daily", "is_forward_filled": false },
            { "date": "2025-04-18", "rates": { "EUR": 1.0752 }, "source": "ecb_daily", "is_forward_filled": true }
          ],
          "has_more": true,
          "next_cursor": "bmV4dDoyMDI1LTA0LTE4+/="
        }
        """

    static let lastPage = """
        {"result":"success","base":"CHF","start_date":"2025-04-16","end_date":"2025-04-23","data":[\
        {"date":"2025-04-22","rates":{"EUR":1.0698},"source":"ecb_daily","is_forward_filled":false},\
        {"date":"2025-04-23","rates":{"EUR":1.0664}}],"has_more":false,"next_cursor":null}
        """

    static let emptyPage = """
        {"result":"success","base":"CHF","start_date":"2025-04-19","end_date":"2025-04-20","data":[],\
        "has_more":false,"next_cursor":null}
        """

    /// A page of as many rows, the days in order, all of one month length.
    static func page(rows count: Int) -> String {
        let rows = (0..<count).map { index in
            let month = 1 + index / 28 % 12
            let day = 1 + index % 28
            let date = "\(2001 + index / 336)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
            return """
                {"date":"\(date)","rates":{"EUR":0.\(60_001 + index),"USD":0.\(70_001 + index)},\
                "source":"ecb_daily","is_forward_filled":false}
                """
        }
        return """
            {"result":"success","base":"CHF","start_date":"2001-01-01","end_date":"2002-12-31",\
            "data":[\(rows.joined(separator: ","))],"has_more":true,"next_cursor":"more"}
            """
    }
}
