/// Something that StoreKit 2 tells an app that listens.
package enum SimulatedUpdate: Sendable {
    /// What an app can listen to.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// Transactions that the app has not made just now.
        case transactions
        /// How subscriptions stand.
        case statuses
        /// Another country's App Store.
        case storefronts
        /// Purchases that were started in the App Store.
        case intents
        /// Messages to the customer.
        case messages
    }

    /// A transaction is new, or has changed.
    case transaction(SimulatedSignedTransaction)
    /// A subscription stands in another way.
    case status(SimulatedSignedStatus)
    /// The account has moved to another country's App Store.
    case storefront(SimulatedStorefront)
    /// The customer wants to buy this, with a win-back offer if there is one.
    case intent(SimulatedProduct, winBackOfferID: String?)
    /// There is a message to the customer.
    case message(SimulatedMessage)
    /// A newer launch has replaced the one that listened: nothing comes after this.
    case launchEnded
}

/// What comes of a call of StoreKit 2.
package enum SimulatedAnswer: Sendable {
    /// Paid, or owned already.
    case purchased(SimulatedSignedTransaction)
    /// Done.
    case completed
    /// Waits for somebody.
    case pending
    /// The customer did not want to.
    case userCancelled
    /// It failed.
    case failed(SimulatedError)
    /// Nobody waits for it any more: the task was cancelled, or a newer launch has begun.
    case abandoned
}

/// The lists of transactions that StoreKit 2 reads.
public enum SimulatedListing: Sendable, Hashable, CaseIterable {
    /// Everything in the history.
    case all
    /// What the app has not finished.
    case unfinished
    /// What the customer may use.
    case currentEntitlements
}
