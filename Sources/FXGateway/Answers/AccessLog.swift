import HTTPEngine
import Telemetry

/// One line for each request, or for every n-th of a loop.
///
/// Only for its loop's thread. Every line is written, however many there are. Nothing that a client sent is in a line but its
/// request id, its trace's parent and its name, whose forms were checked, and its address as a trusted proxy has noted it, which was read and is written anew.
final class AccessLog {
    private let every: Int
    private let logger: Logger
    private let names: ClientNames
    private let proxies: TrustedProxies
    private let ignored: LabelledCounter<ClientAddress.Ignored>
    private var left = 1

    init(
        _ rate: AccessLogRate, proxies: TrustedProxies, ignored: LabelledCounter<ClientAddress.Ignored>,
        names: ClientNames, logger: Logger
    ) {
        self.proxies = proxies
        self.ignored = ignored
        self.names = names
        switch rate {
        case .off: every = 0
        case .oneIn(let every): self.every = every
        }
        self.logger = logger
    }

    /// Whether there are lines at all.
    var isOn: Bool { every > 0 }

    /// Notes an answer that took so many milliseconds from its request's arrival, with its client by number.
    @inline(__always)
    func note(
        _ request: HTTPRequest, _ route: RouteName, _ status: Int, _ milliseconds: Int64, client: Int
    ) {
        guard isOn, isDue() else { return }
        let address = ClientAddress.of(request, proxies)
        if let reason = address.ignored { ignored.add(reason) }
        var fields: [Logger.Field] = [
            (.route, route.label), (.status, String(status)), (.milliseconds, String(milliseconds)),
            (.requestID, request.requestID), (.client, names.name(of: client)),
            (.remoteAddress, address.text),
        ]
        if let proxy = address.proxy { fields.append((.proxy, proxy)) }
        if let parent = TraceParent(request) { fields.append((.traceparent, parent.text)) }
        logger.logEach(.info, "request answered", fields)
    }

    /// What the line of a stream's end will need of its request; nil while there are no lines.
    func mark(of request: HTTPRequest) -> RequestMark? { isOn ? RequestMark(request) : nil }

    /// Notes the end of a stream by its request's mark, with the milliseconds for which it was open.
    func noteEnd(ofStream mark: RequestMark?, _ end: StreamEnd, _ milliseconds: Int64, client: Int) {
        guard isOn, let mark, isDue() else { return }
        let fields: [Logger.Field] = [
            (.route, RouteName.stream.label), (.status, "200"), (.milliseconds, String(milliseconds)),
            (.reason, end.rawValue), (.client, names.name(of: client)),
        ]
        logger.logEach(.info, "stream ended", fields + mark.fields)
    }

    @inline(__always)
    private func isDue() -> Bool {
        left -= 1
        guard left <= 0 else { return false }
        left = every
        return true
    }
}
