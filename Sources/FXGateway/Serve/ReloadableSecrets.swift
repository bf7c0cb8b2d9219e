import EventLoop
import Foundation

/// What a SIGHUP reads again: the upstream key, the admin token, and who may ask.
///
/// Safe from any thread.
final class ReloadableSecrets: Sendable {
    private let held: Locked<(key: Secret?, adminToken: Secret?, clients: ClientSet?)>
    private let names: ClientNames

    init(_ configuration: Configuration, names: ClientNames) {
        let clients = configuration.clients.map { ClientSet($0, names: names) }
        held = Locked((configuration.key, configuration.adminToken, clients))
        self.names = names
    }

    var key: Secret? { held.withLock { $0.key } }
    var adminToken: Secret? { held.withLock { $0.adminToken } }
    /// Nil without a clients file.
    var clients: ClientSet? { held.withLock { $0.clients } }

    /// Reads the files again; what can't be read stays as it was.
    ///
    /// Returns a sentence for each that could not be read, and one for each that too many may read; none shows a secret.
    func reload(_ configuration: Configuration) -> (problems: [String], warnings: [String]) {
        var environment: [String: String] = [:]
        if let path = configuration.keyFile { environment[ConfigurationName.keyFile.rawValue] = path }
        if let path = configuration.adminTokenFile {
            environment[ConfigurationName.adminTokenFile.rawValue] = path
        }
        if let path = configuration.clientsFile { environment[ConfigurationName.clientsFile.rawValue] = path }
        var reader = EnvironmentReader(
            environment: environment, readFile: ServeCommand.readFile,
            exposure: FileExposure.init(ofFileAt:))
        let key = configuration.keyFile.flatMap { _ in reader.secretFile(.keyFile) }
        let token = configuration.adminTokenFile.flatMap { _ in reader.secretFile(.adminTokenFile) }
        let entries = reader.clients(.clientsFile)
        held.withLock { held in
            if let entries { held.clients = ClientSet(entries, names: names, after: held.clients) }
            held.key = key ?? held.key
            held.adminToken = token ?? held.adminToken
        }
        return (reader.problems, reader.warnings)
    }
}
