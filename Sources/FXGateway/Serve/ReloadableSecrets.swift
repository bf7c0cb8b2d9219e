import EventLoop
import Foundation

/// The secrets that a SIGHUP reads again: the upstream key and the admin token.
///
/// Safe from any thread.
final class ReloadableSecrets: Sendable {
    private let held: Locked<(key: Secret?, adminToken: Secret?)>

    init(_ configuration: Configuration) {
        held = Locked((configuration.key, configuration.adminToken))
    }

    var key: Secret? { held.withLock { $0.key } }
    var adminToken: Secret? { held.withLock { $0.adminToken } }

    /// Reads the files again; what can't be read stays as it was.
    ///
    /// Returns a sentence for each that could not be read; none shows a secret.
    func reload(_ configuration: Configuration) -> [String] {
        var environment: [String: String] = [:]
        if let path = configuration.keyFile { environment[ConfigurationName.keyFile.rawValue] = path }
        if let path = configuration.adminTokenFile {
            environment[ConfigurationName.adminTokenFile.rawValue] = path
        }
        var reader = EnvironmentReader(environment: environment, readFile: ServeCommand.readFile)
        let key = configuration.keyFile.flatMap { _ in reader.secretFile(.keyFile) }
        let token = configuration.adminTokenFile.flatMap { _ in reader.secretFile(.adminTokenFile) }
        held.withLock { held in
            held.key = key ?? held.key
            held.adminToken = token ?? held.adminToken
        }
        return reader.problems
    }
}
