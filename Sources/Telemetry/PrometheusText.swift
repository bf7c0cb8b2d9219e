/// Metrics in Prometheus's text exposition format 0.0.4.
///
/// A value type: filled and rendered on one thread at scrape time.
package struct PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package enum Kind: String {
        case counter
        case gauge
    }

    private var text = ""

    package init() {}

    /// The bytes so far.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// Adds one metric with a sample for each set of labels.
    ///
    /// Each sample is label pairs and a value in base units (seconds, bytes, calls), written as given.
    package mutating func add(
        _ name: String, _ kind: Kind, help: String,
        samples: [(labels: KeyValuePairs<String, String>, value: String)]
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += name
            if !sample.labels.isEmpty {
                text +=
                    "{" + sample.labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
            }
            text += " \(sample.value)\n"
        }
    }

    /// Adds one metric without labels.
    package mutating func add(_ name: String, _ kind: Kind, help: String, value: some BinaryInteger) {
        add(name, kind, help: help, samples: [([:], String(value))])
    }

    /// Adds one metric without labels, and without a sample where there is no value.
    ///
    /// The value is in base units, written as given.
    package mutating func add(_ name: String, _ kind: Kind, help: String, text value: String?) {
        guard let value else { return add(name, kind, help: help, samples: []) }
        add(name, kind, help: help, samples: [([:], value)])
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
