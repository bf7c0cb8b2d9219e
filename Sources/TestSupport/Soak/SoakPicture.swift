/// The figures of a long run over its time, as SVG: one panel each, with the faults as bars.
package struct SoakPicture {
    private let samples: [SoakSample]

    private static let width = 760
    private static let height = 96
    private static let left = 64
    private static let gap = 34

    package init(_ samples: [SoakSample]) { self.samples = samples }

    /// The whole file.
    package var text: String {
        let panels = SoakSeries.allCases
        let full = panels.count * (Self.height + Self.gap) + 40
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.left + Self.width + 20)" height="\(full)" \
            font-family="sans-serif" font-size="11" role="img" aria-label="Figures of a long run">
            <rect width="100%" height="100%" fill="#fff"/>
            """
        let body = panels.enumerated().map { panel($1, top: 24 + $0 * (Self.height + Self.gap)) }
        let minutes = (samples.last?.at ?? .zero) / .seconds(60)
        let foot = """
            <text x="\(Self.left)" y="\(full - 10)">0 min</text>
            <text x="\(Self.left + Self.width)" y="\(full - 10)" text-anchor="end">\(Int(minutes.rounded())) min; \
            grey: a fault</text>
            </svg>
            """
        return ([head] + body + [foot]).joined(separator: "\n") + "\n"
    }

    private func panel(_ series: SoakSeries, top: Int) -> String {
        let values = samples.map(series.value)
        let most = max(values.max() ?? 0, 0.001) * 1.1
        let end = max((samples.last?.at ?? .zero) / .seconds(1), 1)
        func x(_ sample: SoakSample) -> Int {
            Self.left + Int(sample.at / .seconds(1) / end * Double(Self.width))
        }
        func y(_ value: Double) -> Int { top + Self.height - Int(value / most * Double(Self.height)) }
        let bars = samples.filter { $0.fault != nil }.map {
            "<rect x=\"\(x($0) - 2)\" y=\"\(top)\" width=\"4\" height=\"\(Self.height)\" fill=\"#ddd\"/>"
        }
        let points = zip(samples, values).map { "\(x($0)),\(y($1))" }.joined(separator: " ")
        return """
            <text x="\(Self.left)" y="\(top - 6)" font-weight="bold">\(series.rawValue)</text>
            \(bars.joined(separator: "\n"))
            <rect x="\(Self.left)" y="\(top)" width="\(Self.width)" height="\(Self.height)" fill="none" stroke="#999"/>
            <text x="\(Self.left - 6)" y="\(top + 10)" text-anchor="end">\(Self.text(most))</text>
            <text x="\(Self.left - 6)" y="\(top + Self.height)" text-anchor="end">0</text>
            <polyline points="\(points)" fill="none" stroke="#0b62a8" stroke-width="1.5"/>
            """
    }

    private static func text(_ value: Double) -> String {
        value >= 10 ? "\(Int(value))" : "\(Int(value)).\(Int(value * 10) % 10)"
    }
}
