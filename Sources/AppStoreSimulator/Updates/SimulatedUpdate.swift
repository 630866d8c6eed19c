/// An update that StoreKit 2 sends to its listeners.
package enum SimulatedUpdate: Sendable {
    /// A kind of updates.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// Transactions that answer no running purchase.
        case transactions
        /// Statuses of subscriptions.
        case statuses
        /// Storefronts that the account changes to.
        case storefronts
        /// Purchases that the customer started in the App Store.
        case intents
        /// Messages for the customer.
        case messages
    }

    /// A transaction is new or changed.
    case transaction(SimulatedSignedTransaction)
    /// The status of a subscription changed.
    case status(SimulatedSignedStatus)
    /// The storefront of the account changed.
    case storefront(SimulatedStorefront)
    /// The customer started a purchase in the App Store, optionally with a win-back offer.
    case intent(SimulatedProduct, winBackOfferID: String?)
    /// The App Store has a message for the customer.
    case message(SimulatedMessage)
    /// A newer launch replaced the listener's launch. No update follows.
    case launchEnded
}

/// The answer to a StoreKit 2 call.
package enum SimulatedAnswer: Sendable {
    /// The customer paid or already owns the product.
    case purchased(SimulatedSignedTransaction)
    /// The call succeeded.
    case completed
    /// The purchase is waiting for approval.
    case pending
    /// The customer canceled.
    case userCancelled
    /// The call failed.
    case failed(SimulatedError)
    /// The call was abandoned, because the task was canceled or a newer launch began.
    case abandoned
}

/// The lists of transactions that StoreKit 2 reads.
public enum SimulatedListing: Sendable, Hashable, CaseIterable {
    /// The history of transactions.
    case all
    /// The unfinished transactions.
    case unfinished
    /// The transactions that entitle the customer to a product.
    case currentEntitlements
}
