/// Why a simulator can't serve.
package enum SimulatorError: Error, Equatable {
    /// It can't listen; the reason in words.
    case listen(String)
}
