/// What a link does before it is taken for one.
struct RedisLogin: Hashable {
    let user: String?
    let password: String?
    let database: Int
    /// Shown in `CLIENT LIST`.
    let name: String
    /// Whether the server has to say that it is a master.
    ///
    /// A replica would answer reads with what is out of date.
    let needsMaster: Bool

    /// The login at the servers that the endpoint is about.
    ///
    /// A cluster's node isn't asked for its role: whether it serves the slot is asked instead.
    init(_ endpoint: RedisEndpoint, name: String) {
        user = endpoint.user
        password = endpoint.password
        database = endpoint.database
        self.name = name
        needsMaster = endpoint.shape != .cluster
    }

    /// The login at the endpoint's sentinels.
    init(sentinelsOf endpoint: RedisEndpoint, name: String) {
        user = endpoint.extras.sentinelUser
        password = endpoint.extras.sentinelPassword
        database = 0
        self.name = name
        needsMaster = false
    }
}
