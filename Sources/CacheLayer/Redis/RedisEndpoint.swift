/// Where Redis is and how to log in there, as read from `FXGW_REDIS_URL`.
///
/// No text made of it shows a password.
package struct RedisEndpoint: Hashable, Sendable {
    /// One server by host and port; an IPv6 host has no brackets.
    package struct Node: Hashable, Sendable {
        package let host: String
        package let port: Int
    }

    package enum Place: Hashable, Sendable {
        case server(Node)
        case unix(path: String)
        case sentinel([Node], service: String)
        case cluster([Node])
    }

    package let place: Place
    package let usesTLS: Bool
    package let user: String?
    /// Never empty.
    package let password: String?
    package let database: Int
    /// What the URL's parameters name.
    let extras: RedisEndpointExtras

    init(
        place: Place, usesTLS: Bool, user: String?, password: String?, database: Int,
        extras: RedisEndpointExtras = RedisEndpointExtras()
    ) {
        self.place = place
        self.usesTLS = usesTLS
        self.user = user
        self.password = password
        self.database = database
        self.extras = extras
    }

    /// Checks that a client of this build can connect there.
    ///
    /// - Throws: `tlsUnavailable`.
    package func checkSupported() throws(RedisURLError) {
        if usesTLS && !RedisTLS.isBuiltIn { throw .tlsUnavailable(hiredisMajor: RedisLibrary.major) }
    }

    var shape: RedisShape {
        switch place {
        case .server, .unix: .single
        case .sentinel: .sentinel
        case .cluster: .cluster
        }
    }

    /// Host and port, or the socket's path: for logs.
    package var address: String {
        switch place {
        case .server(let node): node.description
        case .unix(let path): path
        case .sentinel(let nodes, let service):
            nodes.map(\.description).joined(separator: ",") + "/" + service
        case .cluster(let nodes): nodes.map(\.description).joined(separator: ",")
        }
    }
}

extension RedisEndpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL with `***` for the password, and without the parameters for sentinels and TLS.
    package var description: String {
        let scheme =
            switch place {
            case .server: usesTLS ? "rediss" : "redis"
            case .unix: "unix"
            case .sentinel: "redis+sentinel"
            case .cluster: "redis+cluster"
            }
        let login = password == nil ? "" : "\(user ?? ""):***@"
        let database = database == 0 ? "" : "?db=\(database)"
        return "\(scheme)://\(login)\(address)\(database)"
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}

extension RedisEndpoint.Node: CustomStringConvertible {
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
