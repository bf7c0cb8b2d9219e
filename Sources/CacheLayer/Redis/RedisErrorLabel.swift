/// The errors of Redis that are counted one by one; the rest is `other`.
package enum RedisErrorLabel: String, CaseIterable, Sendable {
    case readOnly = "READONLY"
    case loading = "LOADING"
    case masterDown = "MASTERDOWN"
    case clusterDown = "CLUSTERDOWN"
    case moved = "MOVED"
    case ask = "ASK"
    case tryAgain = "TRYAGAIN"
    case busy = "BUSY"
    case noAuth = "NOAUTH"
    case wrongPass = "WRONGPASS"
    case noPerm = "NOPERM"
    case noScript = "NOSCRIPT"
    case wrongType = "WRONGTYPE"
    case outOfMemory = "OOM"
    case misconfigured = "MISCONF"
    case noReplicas = "NOREPLICAS"
    /// Its prefix is only `ERR`; told by its text.
    case maxClients = "MAXCLIENTS"
    case err = "ERR"
    case other
}
