/// A reply with the shadow part that comes with it; nil where the control is lost.
package struct Answer<Reply: Hashable & Sendable>: Hashable, Sendable {
    package let reply: Reply
    package let shadow: Shadow?

    package init(_ reply: Reply, shadow: Shadow?) {
        self.reply = reply
        self.shadow = shadow
    }
}
