/// One client of a crowd: a connection and the requests that it sends at once, pipelined.
package struct CrowdClient: Sendable {
    package let port: UInt16
    package let requests: [String]

    package init(port: UInt16, requests: [String]) {
        self.port = port
        self.requests = requests
    }
}
