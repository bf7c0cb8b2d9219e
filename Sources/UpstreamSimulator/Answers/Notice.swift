/// The disclaimer that every answer with rates carries, with the truth about the simulation.
enum Notice {
    /// Names the true day of the fix and how far it was moved.
    static func text(fix: ReplayFix, mode: SimulatorMode, seed: UInt64) -> String {
        let drift =
            switch mode {
            case .ecb: ""
            case .live: "drift (seed \(seed)) around the "
            case .mixed: "partly drift (seed \(seed)) around the "
            }
        let shift = fix.shiftText.map { ", \($0)" } ?? ""
        return "Indicative rates, not for settlement. Source: incl. ECB statistics. "
            + "SIMULATED by FX Gateway: \(drift)ECB fix of \(fix.trueDay.text)\(shift)."
    }
}
