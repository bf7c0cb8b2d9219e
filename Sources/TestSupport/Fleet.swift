import EventLoop
import Foundation
package import UpstreamSimulator

/// Gateway processes that share one Redis and one simulated upstream, all on loopback.
///
/// Safe from any thread. It lives until `stop`; `withFleet` sees to that.
package final class Fleet: Sendable {
    package let simulator: Simulator
    /// The server that had the fleet's data at the start, or the first of those that may.
    package let redis: RedisServer
    package let options: FleetOptions
    /// Logs and other files of the processes.
    package let directory: String
    private let members = Locked<[GatewayProcess]>([])
    /// How many names were given away.
    private let named = Locked(0)

    /// All that were started, in that order; also those that have ended.
    package var gateways: [GatewayProcess] { members.withLock { $0 } }

    private init(_ options: FleetOptions) async throws {
        self.options = options
        var template = Array("/tmp/fxgw-fleet-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw RedisServerProblem.cannotSpawn(code: errno) }
        directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        redis =
            switch options.home {
            case .own: try await RedisServer.start(options.redis)
            case .sentinels(let trio): trio.servers[0]
            case .cluster(let trio): trio.nodes[0]
            }
        simulator = try Simulator(configuration: options.upstream)
        try simulator.start()
    }

    /// Starts the servers, then all gateways at once.
    package static func start(_ options: FleetOptions) async throws -> Fleet {
        let fleet = try await Fleet(options)
        do {
            try await fleet.add(options.gateways)
        } catch {
            await fleet.stop()
            throw error
        }
        return fleet
    }

    /// Starts so many further gateways at once, with what `environment` changes.
    ///
    /// `program` is the words that run one, where it isn't the one built here.
    @discardableResult
    package func add(
        _ count: Int = 1, environment: [String: String?] = [:], program: [String] = []
    ) async throws -> [GatewayProcess] {
        // Also two that are started at the same time get names of their own.
        let first = named.withLock { named in
            defer { named += count }
            return named
        }
        let started = try await withThrowingTaskGroup(of: (Int, GatewayProcess).self) { group in
            for number in 0..<count {
                group.addTask {
                    let gateway = try await GatewayProcess.start(
                        name: "gateway-\(first + number)", program: program,
                        environment: self.environment(environment), directory: self.directory)
                    return (number, gateway)
                }
            }
            var started: [(Int, GatewayProcess)] = []
            for try await one in group { started.append(one) }
            return started.sorted { $0.0 < $1.0 }.map(\.1)
        }
        members.withLock { $0 += started }
        return started
    }

    /// The environment of a gateway of this fleet; nil takes a name out.
    package func environment(_ changes: [String: String?] = [:]) -> [String: String] {
        var environment = [
            "FXGW_LISTEN": "127.0.0.1:0", "FXGW_THREADS": "2", "FXGW_UPSTREAM_URL": simulator.baseURL,
            "FXGW_REDIS_URL": redisURL, "FXGW_FLEET": "test",
        ]
        for (name, value) in options.environment { environment[name] = value }
        for (name, value) in changes { environment[name] = value }
        return environment
    }

    /// Ends all processes and servers.
    package func stop() async {
        for gateway in gateways { gateway.stop() }
        await simulator.stop()
        guard case .own = options.home else { return }
        redis.stop()
        redis.removeDirectory()
    }

    /// The server that has the fleet's data now.
    package var store: RedisServer {
        switch options.home {
        case .own: redis
        case .sentinels(let trio): trio.servers.first { $0.isMaster } ?? redis
        case .cluster(let trio):
            trio.nodes.first { node in
                guard let reply = try? node.cli("EXISTS", prefix + "control:2") else { return false }
                return !reply.hasPrefix("-")
            } ?? redis
        }
    }

    private var redisURL: String {
        switch options.home {
        case .own: "redis://127.0.0.1:\(redis.port)"
        case .sentinels(let trio): trio.url
        case .cluster(let trio): trio.url()
        }
    }

    /// What begins every key of this fleet.
    package var prefix: String { "{fxgw:test:127.0.0.1:\(simulator.port)}:" }

    /// All fields of the control; empty while there is none.
    package func control() throws -> [String: String] {
        let lines = try store.cli("HGETALL", prefix + "control:2").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        var fields: [String: String] = [:]
        for index in stride(from: 0, to: lines.count - 1, by: 2) { fields[lines[index]] = lines[index + 1] }
        return fields
    }

    /// The calls that upstream has seen, but for those for the account: a fleet with a key makes one when it begins.
    package var calls: Int { simulator.log.count { !$0.target.hasPrefix("/v1/account") } }

    /// The calls of this month by the ledger, without those for the account; nil while there is no control.
    package func used() throws -> Int? {
        let control = try control()
        guard let counted = control["counted"].flatMap(Int.init), let month = control["month"] else { return nil }
        let settled = Int(try store.cli("HGET", prefix + "ledger:" + month, "class:account")) ?? 0
        let open = control["flights"]?.matches(of: /"resource":"account"/).count ?? 0
        return counted - settled - open
    }

    /// The settled calls of every month's book and those under way: each call of a fleet whose month has ended meanwhile.
    package func booked() throws -> Int {
        let session = try store.session()
        var count = try control()["flights"].map { try Self.underWay($0) } ?? 0
        for key in try keys().keys where key.hasPrefix("ledger:") {
            let lines = try session.send(["HGETALL", prefix + key]).split(separator: "\n")
            for index in stride(from: 0, to: lines.count - 1, by: 2) where lines[index].hasPrefix("outcome:")
            {
                count += Int(lines[index + 1]) ?? 0
            }
        }
        return count
    }

    private static func underWay(_ flights: String) throws -> Int {
        let records = try JSONSerialization.jsonObject(with: Data(flights.utf8)) as? [[String: Any]] ?? []
        return records.count { $0["settled"] == nil }
    }

    /// The gateways that hold a lease by the control's flight records.
    package func holders() throws -> [GatewayProcess] {
        let flights = try control()["flights"] ?? "[]"
        return gateways.filter { flights.contains(":\($0.process.identifier)\"") }
    }

    /// Every key of the server that begins like this fleet's, with its remaining ms as PTTL tells them.
    package func keys() throws -> [String: Int] {
        let session = try store.session()
        var keys: [String: Int] = [:]
        for key in try session.send(["KEYS", "*"]).split(separator: "\n") where key.hasPrefix(prefix) {
            keys[String(key.dropFirst(prefix.count))] = Int(try session.send(["PTTL", String(key)]))
        }
        return keys
    }

    /// Which processes ran and the end of what each has logged, for whoever reads a failure.
    package var report: String {
        let logs = gateways.map { gateway in
            let lines = gateway.log.split(separator: "\n").suffix(40).joined(separator: "\n")
            return
                "== \(gateway.name), status \(gateway.process.status.map(String.init) ?? "running")\n\(lines)"
        }
        let calls = simulator.log.suffix(30).map {
            "#\($0.number) at \($0.received): \($0.target) -> \($0.status)"
        }
        return (logs + ["== upstream's calls"] + calls + ["files: \(directory)"]).joined(separator: "\n")
    }

    /// Removes logs and files.
    package func removeDirectory() { try? FileManager.default.removeItem(atPath: directory) }
}
