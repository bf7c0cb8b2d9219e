/// The query parameters that have a meaning on some route.
enum QueryParameter: String, CaseIterable, Sendable {
    case base
    case symbols
    case numbers
    case rounding
    case force
    case scope
    case date
    case startDate = "start_date"
    case endDate = "end_date"
    case format
    case cursor
    case asOf = "as_of"
    case snapshot
    case maxDataAge = "max_data_age"
    case sources
    case onStale = "on_stale"
    case type
    case events
    case lastEventID = "last_event_id"
    case explain
}
