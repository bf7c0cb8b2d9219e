import Dispatch
import Glibc

/// Tells a person, on standard error, that a command waits and for what, once that takes longer than a moment.
///
/// Blocks the calling thread for as long as the work does: not for an event loop's thread.
enum Patience: Sendable {
    /// Nobody watches: says nothing.
    case silent
    /// A terminal without control sequences: one line, which stays.
    case once
    /// A line that counts the seconds and is gone when the work is done.
    case counting

    /// Whoever waits no longer than this needs no word.
    static let moment = 2

    /// Does the work, and says meanwhile what is waited for.
    func during<Result, Failure: Error>(
        _ what: String, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .silent: return try work()
        case .once, .counting:
            let telling = Telling(what, isCounting: self == .counting)
            defer { telling.end() }
            return try work()
        }
    }

    /// The line while it stands, on a thread of its own.
    private final class Telling: Sendable {
        private let isOver = DispatchSemaphore(value: 0)
        private let isGone = DispatchSemaphore(value: 0)

        init(_ what: String, isCounting: Bool) {
            DispatchQueue.global().async { [isOver, isGone] in
                var passed = 0
                while isOver.wait(timeout: .now() + 1) == .timedOut {
                    passed += 1
                    if isCounting, passed >= Patience.moment {
                        Self.write("\r\(what) (\(passed) s)\u{1B}[K")
                    } else if passed == Patience.moment {
                        Self.write("\(what)\n")
                    }
                }
                if isCounting, passed >= Patience.moment { Self.write("\r\u{1B}[K") }
                isGone.signal()
            }
        }

        /// Takes the line away; nothing is written after it.
        func end() {
            isOver.signal()
            isGone.wait()
        }

        private static func write(_ text: String) {
            _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }
}
