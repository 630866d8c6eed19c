import StoreKit

/// Where StoreKit 2's values come from: the process's own, or one launch's. The narrow waist under ``StoreKit2Backend``.
///
/// What comes by itself is handed to a function from the moment at which `listen` returns, so that whatever is read afterwards misses
/// nothing that came in between.
package struct StoreKit2Environment: Sendable {
    /// What comes by itself. Indirect, because StoreKit's values are large.
    indirect enum Event: Sendable {
        case transaction(VerificationResult<StoreKit.Transaction>)
        case storefront(Storefront)
        /// A subscription stands in another way.
        case status
        /// A customer has begun a purchase in the App Store, with this offer.
        case intent(Product, winBackOfferID: String?)
    }

    /// Something that goes on until it is ended.
    struct Listening: Sendable {
        let end: @Sendable () -> Void
    }

    /// What only the purchase history is asked for.
    struct History: Sendable {
        /// Reads `Transaction.all`, which is slow where the history is long.
        let transactions: @Sendable () async -> [VerificationResult<StoreKit.Transaction>]
        /// Reads `AppTransaction.shared`, which may ask the customer to sign in. Returns the signed text of a
        /// verified app transaction, or `nil` where the system has no app transactions.
        let app: @Sendable () async throws -> String?
        let isEligibleForIntroductoryOffer: @Sendable (String) async -> Bool
        let trust: @Sendable () -> HistoryTrust
    }

    let listen: @Sendable (@escaping @Sendable (Event) -> Void) -> Listening
    let products: @Sendable (Set<String>) async throws -> [Product]
    let purchase: @Sendable (Product, Set<Product.PurchaseOption>, PresentationAnchor?) async throws -> Product.PurchaseResult
    let unfinished: @Sendable () async -> [VerificationResult<StoreKit.Transaction>]
    let finish: @Sendable (StoreKit.Transaction) async -> Void
    let currentEntitlements: @Sendable () async -> [VerificationResult<StoreKit.Transaction>]
    let latest: @Sendable (String) async -> VerificationResult<StoreKit.Transaction>?
    let statuses: @Sendable (String) async throws -> [Product.SubscriptionInfo.Status]
    let history: History
    let sync: @Sendable () async throws -> Void
    let canMakePayments: @Sendable () -> Bool
    let storefront: @Sendable () async -> Storefront?
    /// Takes over the App Store's messages, which the system shows by itself if nobody does.
    let messages: @Sendable (@escaping @Sendable (StoreMessage) -> Void) -> Listening
    let receipt: DeviceReceipt
    /// Shows a sheet; throws ``StoreError/Code/unsupported`` where there is none, else what StoreKit says.
    let present: @Sendable (StoreSheet, PresentationAnchor?) async throws -> Void
    let clock: any StoreClock
}

// In a cancelled task, StoreKit reads nothing and throws nothing: no transactions, no statuses, no products.
extension StoreKit2Environment {
    /// Returns the transactions of a listing, which is read in a task that the caller can't cancel.
    static func read(
        _ transactions: StoreKit.Transaction.Transactions
    ) async -> [VerificationResult<StoreKit.Transaction>] {
        await uncancelled {
            var results: [VerificationResult<StoreKit.Transaction>] = []
            for await result in transactions { results.append(result) }
            return results
        }
    }

    /// Returns the products of an answer, unless the task is cancelled and the answer is empty.
    ///
    /// A request for products uses the network, so a cancelled caller ends the request. The empty answer of such a
    /// request doesn't mean that the products are unknown.
    /// - Throws: `CancellationError`.
    static func uncancelledAnswer(_ products: [Product]) throws -> [Product] {
        if products.isEmpty { try Task.checkCancellation() }
        return products
    }
}
