/// One count of one kind of request.
struct CountResult {
    let request: String
    let count: Count
    let value: Double
}
