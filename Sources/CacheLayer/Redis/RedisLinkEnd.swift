/// Why a link ended or was never made.
package enum RedisLinkEnd: Error, Hashable, Sendable {
    /// The host's name has no address, or none was told in time.
    case unresolved
    /// Nobody listens, or the way there is closed.
    case unreachable
    /// Connect and login took too long.
    case connectTimedOut
    case commandTimedOut
    /// The peer closed or reset it.
    case lost
    /// The peer sent what is no Redis protocol, what nobody asked for, or more than is accepted.
    case brokenProtocol
    /// The server's error says that another server, or a later time, is the right one.
    case serverError(String)
    /// User or password is wrong or missing.
    case loginRefused(String)
    /// The database can't be selected.
    case databaseRefused(String)
    /// The server is a replica, or becoming one.
    case notMaster
    /// The sentinels that answer know no master of this name.
    case masterUnknown
    /// The sentinels name another master.
    case masterMoved
    /// Our slot is served by this node now; an empty host is the one that was asked.
    case moved(to: RedisEndpoint.Node)
    /// No node that answers serves our slot.
    case slotUnserved
    /// The server is a node of a cluster, the URL speaks of a server that is alone.
    case isCluster
    /// The server is no node of a cluster, the URL speaks of one.
    case notCluster
    /// The server's certificate isn't trusted, or there is no TLS to be had with it.
    case tlsRefused
    /// We were asked to.
    case closed

    /// Fixed words for logs: no text of the server but its error's first word.
    package var reason: String {
        switch self {
        case .unresolved: "unresolved"
        case .unreachable: "unreachable"
        case .connectTimedOut: "connect_timed_out"
        case .commandTimedOut: "command_timed_out"
        case .lost: "lost"
        case .brokenProtocol: "broken_protocol"
        case .serverError(let prefix): "server_error_" + prefix
        case .loginRefused(let prefix): "login_refused_" + prefix
        case .databaseRefused(let prefix): "database_refused_" + prefix
        case .notMaster: "not_master"
        case .masterUnknown: "master_unknown"
        case .masterMoved: "master_moved"
        case .moved: "slot_moved"
        case .slotUnserved: "slot_unserved"
        case .isCluster: "is_a_cluster_node"
        case .notCluster: "not_a_cluster_node"
        case .tlsRefused: "tls_refused"
        case .closed: "closed"
        }
    }

    /// Whether trying again soon is pointless: only somebody who changes a setting can help.
    var needsSomebody: Bool {
        switch self {
        case .loginRefused, .databaseRefused, .isCluster, .notCluster, .tlsRefused: true
        default: false
        }
    }

    /// Whether it's no failure: another server has taken over and is known.
    var isRedirect: Bool {
        switch self {
        case .masterMoved, .moved: true
        default: false
        }
    }
}
