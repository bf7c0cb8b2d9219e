/// What a fleet held and how it answered in one stretch of time.
package struct SoakSample: Hashable, Sendable {
    /// Of one gateway's process.
    package struct Process: Hashable, Sendable {
        package var residentBytes: Int
        package var descriptors: Int
        package var threads: Int

        package init(residentBytes: Int, descriptors: Int, threads: Int) {
            self.residentBytes = residentBytes
            self.descriptors = descriptors
            self.threads = threads
        }
    }

    /// The stretch's end, from the run's beginning.
    package var at: Duration
    package var processes: [Process]
    package var redisKeys: Int
    package var redisBytes: Int
    /// Of all requests of the stretch.
    package var p50: Duration
    package var p99: Duration
    package var answers: Int
    /// Requests without an answer, or with another status than the one that such a request has.
    package var wrong: Int
    /// Calls to upstream in this stretch.
    package var calls: Int
    /// Events that streams have brought.
    package var events: Int
    /// The fault that was there, or had just been.
    package var fault: String?

    package init(
        at: Duration, processes: [Process], redisKeys: Int, redisBytes: Int, p50: Duration, p99: Duration,
        answers: Int, wrong: Int, calls: Int, events: Int, fault: String? = nil
    ) {
        (self.at, self.processes, self.redisKeys, self.redisBytes) = (at, processes, redisKeys, redisBytes)
        (self.p50, self.p99, self.answers, self.wrong) = (p50, p99, answers, wrong)
        (self.calls, self.events, self.fault) = (calls, events, fault)
    }
}
