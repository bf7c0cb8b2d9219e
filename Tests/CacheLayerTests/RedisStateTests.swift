import Testing

@testable import CacheLayer

@Suite("The Redis client's decisions")
struct RedisStateTests {
    private let start = ContinuousClock.now
    private var breaker: RedisBreaker {
        RedisBreaker(first: .milliseconds(200), longest: .seconds(1))
    }

    @Test("the breaker opens on the third failure in a row, not before")
    func threeFailures() {
        var breaker = breaker
        for _ in 0..<2 {
            let until = breaker.failed(isTimeout: false, at: start)
            #expect(until == nil && !breaker.isRefusing)
        }
        let until = breaker.failed(isTimeout: false, at: start)
        #expect(until == start + .milliseconds(200))
        #expect(breaker.isRefusing)
    }

    @Test("an answered command starts the count anew, a mere connect doesn't")
    func successResets() {
        var breaker = breaker
        for _ in 0..<2 { _ = breaker.failed(isTimeout: false, at: start) }
        breaker.connected()
        #expect(breaker.state == .closed(failures: 2))
        breaker.succeeded()
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test(
        "one time-out opens the breaker; its pause doubles up to the longest and starts anew with a success")
    func timeouts() {
        var breaker = breaker
        for pause in [200, 400, 800, 1_000, 1_000] {
            let until = breaker.failed(isTimeout: true, at: start)
            #expect(until == start + .milliseconds(pause))
            breaker.probing()
            #expect(breaker.state == .halfOpen)
        }
        breaker.connected()
        #expect(breaker.state == .closed(failures: 2))
        breaker.succeeded()
        let until = breaker.failed(isTimeout: true, at: start)
        #expect(until == start + .milliseconds(200))
    }

    @Test("after the breaker has closed, the next failure opens it again")
    func oneFailureShort() {
        var breaker = breaker
        _ = breaker.failed(isTimeout: true, at: start)
        breaker.probing()
        breaker.connected()
        #expect(!breaker.isRefusing)
        let until = breaker.failed(isTimeout: false, at: start)
        #expect(until != nil && breaker.isRefusing)
    }

    @Test("pauses double up to the longest, each between half and all of its step")
    func backoff() {
        var low = RedisBackoff(first: .milliseconds(50), longest: .seconds(1))
        var high = low
        for step in [50, 100, 200, 400, 800, 1_000, 1_000] {
            let shortest = low.next(fraction: 0)
            let longest = high.next(fraction: 1)
            #expect(shortest == .milliseconds(step) / 2)
            #expect(longest == .milliseconds(step))
        }
        low.reset()
        let again = low.next(fraction: 1)
        #expect(again == .milliseconds(50))
    }

    @Test("the queue keeps its order through growth and shrinkage")
    func queue() {
        var queue = RedisQueue<Int>()
        var next = 0
        for round in 0..<300 {
            for _ in 0..<(round % 7) { queue.append(next + queue.count) }
            for _ in 0..<(round % 5) {
                guard let value = queue.popFirst() else { break }
                #expect(value == next)
                next += 1
            }
        }
        while let value = queue.popFirst() {
            #expect(value == next)
            next += 1
        }
        #expect(queue.count == 0 && next > 500)
    }

    @Test(
        "an error is told by its first word",
        arguments: [
            ("READONLY You can't write", .notExecuted(.serverError("READONLY")), .dropsLink),
            ("LOADING Redis is loading", .notExecuted(.serverError("LOADING")), .dropsLink),
            ("MASTERDOWN Link with MASTER is down", .notExecuted(.serverError("MASTERDOWN")), .dropsLink),
            ("CLUSTERDOWN Hash slot not served", .notExecuted(.serverError("CLUSTERDOWN")), .dropsLink),
            ("MOVED 12162 127.0.0.1:17003", .notExecuted(.serverError("MOVED")), .dropsLink),
            ("ASK 1 h:1", .notExecuted(.serverError("ASK")), .dropsLink),
            ("TRYAGAIN Multiple keys", .notExecuted(.serverError("TRYAGAIN")), .dropsLink),
            ("BUSY Redis is busy", .notExecuted(.serverError("BUSY")), .dropsLink),
            ("ERR max number of clients reached", .notExecuted(.serverError("MAXCLIENTS")), .dropsLink),
            ("NOAUTH Authentication required.", .notExecuted(.serverError("NOAUTH")), .refusesLogin),
            ("NOSCRIPT No matching script.", .notExecuted(.serverError("NOSCRIPT")), .unknownScript),
            ("OOM command not allowed", .writesRefused, .refusesWrites),
            ("MISCONF Redis is configured", .writesRefused, .refusesWrites),
            ("NOREPLICAS Not enough good replicas", .writesRefused, .refusesWrites),
            ("WRONGTYPE Operation against", .outcomeUnknown(.serverError("WRONGTYPE")), .uncertain),
            ("NOPERM this user", .notExecuted(.forbidden(command: nil)), .uncertain),
            (
                "NOPERM this user has no permissions to run the 'hget' command",
                .notExecuted(.forbidden(command: "HGET")), .uncertain
            ),
            (
                "NOPERM User me has no permissions to run the 'config|get' command",
                .notExecuted(.forbidden(command: "CONFIG GET")), .uncertain
            ),
            (
                "NOPERM this user has no permissions to run the 'a secret\\n' command",
                .notExecuted(.forbidden(command: nil)), .uncertain
            ),
            (
                "NOPERM this user has no permissions to access one of the keys used as arguments",
                .notExecuted(.forbidden(command: nil)), .uncertain
            ),
            // Within scripts: Redis 7.2, 7.0 (also of a key), 6.2.
            (
                "NOPERM ACL failure in script: User me has no permissions to run the 'hget' command script: 1f, on @user_script:1.",
                .outcomeUnknown(.forbidden(command: "HGET")), .uncertain
            ),
            (
                "ERR The user executing the script can't run this command or subcommand script: 1f, on @user_script:1.",
                .outcomeUnknown(.forbidden(command: nil)), .uncertain
            ),
            (
                "ERR The user executing the script can't access at least one of the keys mentioned in the command arguments script: 1f, on @user_script:1.",
                .outcomeUnknown(.forbidden(command: nil)), .uncertain
            ),
            (
                "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: The user executing the script can't run this command or subcommand",
                .outcomeUnknown(.forbidden(command: nil)), .uncertain
            ),
            (
                "ERR @user_script: NOPERM this user has no permissions to run the 'time' command",
                .outcomeUnknown(.forbidden(command: "TIME")), .uncertain
            ),
            ("ERR who can't run this command", .outcomeUnknown(.serverError("ERR")), .uncertain),
            ("ERR Error running script", .outcomeUnknown(.serverError("ERR")), .uncertain),
            ("MYOWN error of a script", .outcomeUnknown(.serverError("MYOWN")), .uncertain),
            ("secret text of whoever", .outcomeUnknown(.serverError("ERR")), .uncertain),
            ("", .outcomeUnknown(.serverError("ERR")), .uncertain),
        ] as [(String, StoreError, RedisServerError.Effect)])
    func errors(line: String, expected: StoreError, effect: RedisServerError.Effect) {
        guard case .error(let prefix, let message) = RedisReply.error(line: line) else {
            Issue.record("not an error")
            return
        }
        let error = RedisServerError(prefix: prefix, message: message)
        #expect(error.storeError == expected)
        #expect(error.effect == effect)
    }
}
