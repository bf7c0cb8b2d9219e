/// One answer that a client of a crowd got.
package struct CrowdAnswer: Sendable {
    /// The client's place in the crowd.
    package let client: Int
    /// The request's place among those of its client.
    package let request: Int
    package let answer: RawHTTPClient.Answer
    /// From the moment when the whole crowd had asked.
    package let after: Duration
}
