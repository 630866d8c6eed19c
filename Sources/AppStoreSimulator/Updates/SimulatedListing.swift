/// The lists of transactions that StoreKit 2 reads.
package enum SimulatedListing: Sendable, Hashable, CaseIterable {
    /// Everything in the history.
    case all
    /// What the app has not finished.
    case unfinished
    /// What the customer may use.
    case currentEntitlements
}
