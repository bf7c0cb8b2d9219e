/// `fxgateway healthcheck`: asks the gateway at its own address, as container platforms do.
///
/// Blocks for at most a few seconds: not for an event loop's thread.
enum HealthcheckCommand {
    /// A gateway answers this from memory; one that takes longer isn't healthy.
    private static let limitSeconds = 2

    /// Asks `/healthz`, or `/readyz` with `isReady`.
    ///
    /// `.success` for a 200, `.failure` for any other answer, `.unavailable` if there is none in time.
    ///
    /// - Parameters:
    ///   - address: what the gateway was told to listen on; an unspecified address is asked on loopback.
    ///   - isReady: whether to ask for readiness.
    ///   - complain: takes what belongs on standard error.
    /// - Returns: how the process ends.
    static func run(_ address: ListenAddress, isReady: Bool, complain: (String) -> Void) -> ExitCode {
        let call = GatewayCall(
            address: address, method: "GET", target: isReady ? "/readyz" : "/healthz",
            limitSeconds: limitSeconds)
        do throws(GatewayCall.Problem) {
            let reply = try call.send()
            guard reply.status == 200 else {
                complain("\(call.target): \(reply.statusText)")
                return .failure
            }
            return .success
        } catch {
            complain("\(error)")
            return .unavailable
        }
    }
}
