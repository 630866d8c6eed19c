/// Who delivers and finishes a transaction.
package enum Deliverer: Sendable, Hashable, CaseIterable {
    /// Only the closure of the call. The transaction is finished when the closure returns.
    case closure
    /// The installed delivery. The transaction is finished when the delivery accepts or rejects it.
    case installedDelivery
    /// The caller of the call, who calls `finish()`.
    case caller
    /// A subscriber of the store's transactions, now or later, who calls `finish()`.
    case subscribers
    /// Not delivered, because it isn't paid. A failed transaction is finished immediately.
    case nobody

    /// The kind of call that a transaction answers.
    package enum CallStyle: Sendable, Hashable, CaseIterable {
        /// Without a closure.
        case plain
        /// With a closure that delivers.
        case closure
    }

    /// - Parameter style: The kind of call that the transaction answers; `nil` if it answers none.
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
