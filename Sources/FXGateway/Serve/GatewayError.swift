import CacheLayer
import EventLoop
import HTTPEngine

/// Why an instance can't be put together.
///
/// Names what to change, never a secret.
enum GatewayError: Error, CustomStringConvertible {
    case redisURL(RedisURLError)
    case upstreamKey
    case eventLoop(EventLoopError)
    case listen(HTTPServerError)

    var description: String {
        switch self {
        case .redisURL(let error): "FXGW_REDIS_URL: \(error)"
        case .upstreamKey:
            "EXCHANGERATE_API_KEY holds characters that no header may carry: check for quotes and line ends"
        case .eventLoop(let error): "no event loop: \(error)"
        case .listen(let error): "FXGW_LISTEN: \(error)"
        }
    }
}
