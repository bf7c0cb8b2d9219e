import Foundation
import Testing

@testable import FXGateway

/// The document as the tests read it: paths with their operations, and the components that they refer to.
struct OpenAPIText {
    let root: [String: Any]
    let paths: [String: [String: [String: Any]]]

    init() throws {
        let data = Data(try ProjectFiles.text("docs/openapi.json").utf8)
        root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        paths = try #require(root["paths"] as? [String: [String: [String: Any]]])
    }

    func components(_ kind: String) throws -> [String: [String: Any]] {
        let all = try #require(root["components"] as? [String: Any])
        return try #require(all[kind] as? [String: [String: Any]])
    }

    /// What a reference points at; the value itself if it is none.
    func followed(_ value: [String: Any]) throws -> [String: Any] {
        guard let reference = value["$ref"] as? String else { return value }
        let parts = reference.split(separator: "/").map(String.init)
        return try #require(try components(parts[2])[parts[3]], "\(reference)")
    }

    func parameters(_ operation: [String: Any], in place: String) throws -> Set<String> {
        let all = try (operation["parameters"] as? [[String: Any]] ?? []).map { try followed($0) }
        return Set(all.filter { $0["in"] as? String == place }.compactMap { $0["name"] as? String })
    }

    /// The route that the program finds for a path of the document.
    static func route(_ path: String) throws -> RouteName {
        let filled = EndpointPath.filled(path)
        return try filled.withCString { text in
            try RoutePath(UnsafeRawBufferPointer(start: text, count: filled.utf8.count)).name
        }
    }
}
