import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Who takes what URLSession reports of one task: the whole answer of an exchange, or the events of a stream.
protocol Receiver: Sendable {
    /// Takes the head of the answer.
    func receive(_ response: URLResponse)
    /// Takes a piece of the body.
    func receive(_ piece: Data)
    /// Ends as URLSession reports it: with the answer, or with `error`.
    func complete(_ error: (any Error)?)
    /// Ends with this head and the body that has come; false if it had ended before.
    ///
    /// After true the task will not be cancelled any more.
    func conclude(with head: HTTPURLResponse) -> Bool
}
