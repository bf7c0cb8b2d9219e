/// What a long run has shown: whether anything grows that should stand still.
package struct SoakVerdict: Sendable {
    /// One figure at two times.
    package struct Line: Sendable {
        package let series: SoakSeries
        /// The medians of the run's second and last quarter.
        package let early: Double
        package let late: Double

        package var isKept: Bool { late - early <= series.rise(from: early) }
    }

    package let lines: [Line]
    /// What else was not as it should be.
    package let faults: [String]

    package var isKept: Bool { faults.isEmpty && lines.allSatisfy(\.isKept) }

    /// Judges samples in their order; of a run too short for quarters nothing can be said.
    package init(_ samples: [SoakSample]) {
        // What a fault has just been doing to is judged by the random runs.
        let quiet = samples.filter { $0.fault == nil }
        let quarter = quiet.count / 4
        guard quarter >= 2 else {
            lines = []
            faults = ["only \(quiet.count) samples without a fault: too few to say anything"]
            return
        }
        let (second, last) = (quiet[quarter..<2 * quarter], quiet.suffix(quarter))
        lines = SoakSeries.allCases.map { series in
            Line(
                series: series, early: Self.median(second.map(series.value)),
                late: Self.median(last.map(series.value)))
        }
        var faults: [String] = []
        let wrong = quiet.reduce(0) { $0 + $1.wrong }
        if wrong > 0 { faults.append("\(wrong) wrong or missing answers without a fault") }
        for sample in quiet {
            if sample.calls == 0 { faults.append("no refresh before \(sample.at)") }
            if sample.events == 0 { faults.append("no event of a stream before \(sample.at)") }
            if sample.answers == 0 { faults.append("no answer before \(sample.at)") }
        }
        self.faults = faults
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Rows of Markdown.
    package var table: String {
        let head =
            "| figure | second quarter | last quarter | may rise by | |\n| --- | ---: | ---: | ---: | --- |"
        let rows = lines.map { line in
            let bound = Self.text(line.series.rise(from: line.early))
            let texts = [Self.text(line.early), Self.text(line.late), bound, line.isKept ? "kept" : "BROKEN"]
            return "| \(line.series.rawValue) | \(texts.joined(separator: " | ")) |"
        }
        return ([head] + rows + faults.prefix(10).map { "\n\($0)" }).joined(separator: "\n")
    }

    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return rest == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
