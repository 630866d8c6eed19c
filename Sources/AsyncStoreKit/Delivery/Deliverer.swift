/// Who delivers a transaction.
package enum Deliverer: Sendable, Hashable, CaseIterable {
    /// The closure of the call that it answers, and nobody else. Finished when the closure returns.
    case closure
    /// The installed delivery. Finished when it accepts or rejects.
    case installedDelivery
    /// Whoever made the call that it answers, who says `finish()`.
    case caller
    /// Whoever listens to the store's transactions, now or later, and says `finish()`.
    case subscribers
    /// Nobody: nothing was paid for. What has failed is finished at once.
    case nobody

    /// How a call was made that is answered with a transaction.
    package enum CallStyle: Sendable, Hashable, CaseIterable {
        /// Without a closure.
        case plain
        /// With a closure that delivers.
        case closure
    }

    /// Decides.
    /// - Parameters:
    ///   - state: The state of the transaction.
    ///   - style: How the call was made that it answers; `nil` when it answers none.
    ///   - hasInstalledDelivery: Whether the store has one.
    init(of state: StoreTransaction.State, answering style: CallStyle?, hasInstalledDelivery: Bool) {
        switch (state, style, hasInstalledDelivery) {
        case (.purchasing, _, _), (.deferred, _, _), (.failed, _, _): self = .nobody
        case (.purchased, .closure, _), (.restored, .closure, _): self = .closure
        case (.purchased, _, true), (.restored, _, true): self = .installedDelivery
        case (.purchased, .plain, false), (.restored, .plain, false): self = .caller
        case (.purchased, nil, false), (.restored, nil, false): self = .subscribers
        }
    }
}
