/// What a request is answered, and what changes for it; nil where nothing does.
struct Decision<Reply: Hashable & Sendable>: Sendable {
    let answer: Answer<Reply>
    var change: StoreChange?
}
