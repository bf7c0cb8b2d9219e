/// Why a control request can't be carried out, as one sentence for its sender.
struct ControlError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}
