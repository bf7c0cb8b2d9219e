/// One thing to measure: a name and a body that does it `count` times.
struct Piece {
    let name: String
    /// Returns a number made of all results, so that nothing can be left out by the optimizer.
    let run: (_ count: Int) -> Int
}
