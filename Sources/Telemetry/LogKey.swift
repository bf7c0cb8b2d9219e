/// The registry of field names in log lines: every field of every line is one of these.
package enum LogKey: String, Sendable {
    case address
    case attempt
    case base
    case birth
    case client
    case code
    case command
    case count
    case dataTime = "data_time"
    case error
    case field
    case fleet
    case instance
    case limit
    case listen
    case method
    case milliseconds = "ms"
    case month
    case outcome
    case path
    case pid
    case proxy
    case reason
    case remoteAddress = "remote_address"
    case requestID = "request_id"
    case resource
    case route
    case scope
    case seconds
    case signal
    case snapshot
    case source
    case state
    case status
    case store
    case suppressed
    case symbol
    case token
    case traceparent
    case upstream
    case upstreamStatus = "upstream_status"
    case value
    case variable
    case version
}
