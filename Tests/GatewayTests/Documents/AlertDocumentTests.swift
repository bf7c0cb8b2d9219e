import Foundation
import Testing

/// What is shipped for Prometheus against the pages and the rules' own tests.
@Suite("Alert rules, as shipped") struct AlertDocumentTests {
    private static let rules = "deploy/prometheus/fxgateway.rules.yml"

    private static func names() throws -> [String] {
        try ProjectFiles.text(rules).matches(of: #/- alert: (\w+)/#).map { String($0.output.1) }
    }

    @Test("each has a section of its own on the operator's page, and each section is one of them")
    func sections() throws {
        let names = try Self.names()
        #expect(names.count > 20)
        let sections = try ProjectFiles.section("## Alerts", of: "docs/operations.md")
            .filter { $0.hasPrefix("### FXGateway") }.map { String($0.dropFirst(4)) }
        #expect(sections == names, "in the order of the rules")
    }

    @Test("each leads to its section and says how bad it is")
    func runbooks() throws {
        let text = try ProjectFiles.text(Self.rules)
        let severities = text.matches(of: #/severity: (info|warning|critical) /#).count
        #expect(severities == text.matches(of: #/- alert: /#).count)
        for name in try Self.names() {
            #expect(text.contains("runbook: docs/operations.md#\(name.lowercased())\n"), "\(name)")
        }
    }

    @Test("each is seen firing by a test of the rules")
    func tested() throws {
        let tests = try ProjectFiles.text("deploy/prometheus/fxgateway.rules.test.yml")
        for name in try Self.names() {
            let fires =
                tests.contains(#"labels: '{alertname="\#(name)""#) || tests.contains("alertname: \(name)\n")
            #expect(fires, "\(name)")
        }
    }
}
