/// How a server's connections ended when it was drained.
package struct DrainResult: Sendable, Equatable {
    /// Connections that were closed in good order.
    package var drained = 0
    /// Connections that the limit cut off.
    package var cut = 0

    package init(drained: Int = 0, cut: Int = 0) {
        self.drained = drained
        self.cut = cut
    }
}
