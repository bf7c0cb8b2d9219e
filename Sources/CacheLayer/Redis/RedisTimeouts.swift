/// How long anything to do with Redis may take.
package struct RedisTimeouts: Hashable, Sendable {
    /// Name look-up, connect and login together.
    package var connect: Duration
    /// One command, from the call to its reply.
    package var command: Duration
    /// The pause before the first reconnect; doubles with each failure.
    package var reconnectFirst: Duration
    package var reconnectLongest: Duration
    /// The same pauses after a refused login: somebody has to act first.
    package var refusedFirst: Duration
    package var refusedLongest: Duration
    /// How long the breaker stays open the first time; doubles while it opens again and again.
    package var breakerFirst: Duration
    package var breakerLongest: Duration
    /// A subscription that has been silent so long is asked whether it still lives.
    package var subscriptionSilence: Duration
    /// The sentinels are asked so often whether the master is still the same.
    package var masterCheck: Duration

    package init(
        connect: Duration = .milliseconds(250), command: Duration = .milliseconds(150),
        reconnectFirst: Duration = .milliseconds(50), reconnectLongest: Duration = .seconds(1),
        refusedFirst: Duration = .seconds(1), refusedLongest: Duration = .seconds(30),
        breakerFirst: Duration = .milliseconds(200), breakerLongest: Duration = .seconds(1),
        subscriptionSilence: Duration = .seconds(5), masterCheck: Duration = .seconds(1)
    ) {
        let positive = [
            connect, command, reconnectFirst, reconnectLongest, refusedFirst, refusedLongest, breakerFirst,
            breakerLongest, subscriptionSilence, masterCheck,
        ]
        precondition(positive.allSatisfy { $0 > .zero }, "every Redis time limit is positive")
        self.connect = connect
        self.command = command
        self.reconnectFirst = reconnectFirst
        self.reconnectLongest = reconnectLongest
        self.refusedFirst = refusedFirst
        self.refusedLongest = refusedLongest
        self.breakerFirst = breakerFirst
        self.breakerLongest = breakerLongest
        self.subscriptionSilence = subscriptionSilence
        self.masterCheck = masterCheck
    }
}
