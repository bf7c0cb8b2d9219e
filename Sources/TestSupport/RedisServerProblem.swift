/// Why a private redis-server did not come up or did not answer.
package enum RedisServerProblem: Error, CustomStringConvertible {
    case cannotSpawn(code: Int32)
    case notReady(log: String)
    case noAnswer
    case noSocket(errno: Int32)

    package var description: String {
        switch self {
        case .cannotSpawn(let code): "redis-server can't be spawned: error \(code)"
        case .notReady(let log): "redis-server did not come up:\n\(log)"
        case .noAnswer: "redis-server did not answer"
        case .noSocket(let code): "no socket: error \(code)"
        }
    }
}
