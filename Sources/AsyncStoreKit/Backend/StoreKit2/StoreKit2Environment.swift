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
        let transactions: @Sendable () async -> [VerificationResult<StoreKit.Transaction>]
        let app: @Sendable () async -> SignedStatement<SignedPurchaseHistory.AppDownload>?
        let isEligibleForIntroductoryOffer: @Sendable (String) async -> Bool
        let trust: @Sendable () -> HistoryTrust
    }

    let listen: @Sendable (@escaping @Sendable (Event) -> Void) -> Listening
    let products: @Sendable (Set<String>) async throws -> [Product]
    let purchase: @Sendable (Product, Set<Product.PurchaseOption>, PresentationAnchor?) async throws -> Product.PurchaseResult
    let unfinished: @Sendable () async -> [VerificationResult<StoreKit.Transaction>]
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
