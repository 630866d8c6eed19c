/// The source of StoreKit 2's values: the device, one launch over this package's StoreKit, or a simulated App Store.
///
/// ``StoreKit2Backend`` and ``StoreKit2Queue`` know StoreKit through an environment only. `listen` calls its closure
/// with everything that happens from the moment at which it returns, so whatever is read afterwards misses nothing.
package struct StoreKit2Environment: Sendable {
    /// An event that no call has asked for. Indirect, because products and statements are large.
    package indirect enum Event: Sendable {
        case transaction(StoreKit2Statement)
        case storefront(AppStorefront)
        /// A customer has started a purchase in the App Store, with this offer.
        case intent(StoreKit2Product, offer: PurchaseOffer?)
        /// An event that the backend passes on: the status of a subscription has changed.
        case other(QueueEvent)
    }

    /// An observation that lasts until it's ended.
    package struct Listening: Sendable {
        package let end: @Sendable () -> Void

        package init(end: @escaping @Sendable () -> Void) {
            self.end = end
        }
    }

    /// The reads that only the purchase history needs.
    package struct History: Sendable {
        /// Reads `Transaction.all`, which is slow if the history is long.
        package var transactions: @concurrent @Sendable () async -> [StoreKit2Statement]
        /// Reads `AppTransaction.shared`, which may ask the customer to sign in. Returns the signed text of a
        /// verified app transaction, or `nil` where the system has no app transactions.
        package var app: StoreFunction<Void, String?>
        package var isEligibleForIntroductoryOffer: @concurrent @Sendable (String) async -> Bool
        package var trust: @Sendable () -> HistoryTrust

        package init(
            transactions: @escaping @Sendable () async -> [StoreKit2Statement],
            app: @escaping @Sendable () async throws(StoreError) -> String?,
            isEligibleForIntroductoryOffer: @escaping @Sendable (String) async -> Bool,
            trust: @escaping @Sendable () -> HistoryTrust
        ) {
            self.transactions = transactions
            self.app = StoreFunction(app)
            self.isEligibleForIntroductoryOffer = isEligibleForIntroductoryOffer
            self.trust = trust
        }
    }

    package var listen: @Sendable (@escaping @Sendable (Event) -> Void) -> Listening
    package var products: StoreFunction<Set<String>, [StoreKit2Product]>
    package var unfinished: @concurrent @Sendable () async -> [StoreKit2Statement]
    package var currentEntitlements: @concurrent @Sendable () async -> [StoreKit2Statement]
    package var latest: @concurrent @Sendable (String) async -> StoreKit2Statement?
    package var statuses: StoreFunction<String, [StoreKit2Status]>
    package var history: History
    package var sync: StoreFunction<Void, Void>
    package var canMakePayments: @Sendable () -> Bool
    package var storefront: @concurrent @Sendable () async -> AppStorefront?
    /// Receives the App Store's messages, which the system otherwise presents.
    package var messages: @Sendable (@escaping @Sendable (StoreMessage) -> Void) -> Listening
    package var receipt: DeviceReceipt
    /// Presents a sheet. Returns the transaction of a redeemed offer code, if the system returns it. Throws
    /// ``StoreError/Code/unsupported`` if the system doesn't have the sheet.
    package var present: StoreFunction<(StoreSheet, PresentationAnchor?), StoreKit2Statement?>
    package var clock: any StoreClock

    package init(
        listen: @escaping @Sendable (@escaping @Sendable (Event) -> Void) -> Listening,
        products: @escaping @Sendable (Set<String>) async throws(StoreError) -> [StoreKit2Product],
        unfinished: @escaping @Sendable () async -> [StoreKit2Statement],
        currentEntitlements: @escaping @Sendable () async -> [StoreKit2Statement],
        latest: @escaping @Sendable (String) async -> StoreKit2Statement?,
        statuses: @escaping @Sendable (String) async throws(StoreError) -> [StoreKit2Status],
        history: History,
        sync: @escaping @Sendable () async throws(StoreError) -> Void,
        canMakePayments: @escaping @Sendable () -> Bool,
        storefront: @escaping @Sendable () async -> AppStorefront?,
        messages: @escaping @Sendable (@escaping @Sendable (StoreMessage) -> Void) -> Listening,
        receipt: DeviceReceipt,
        present: @escaping @Sendable (StoreSheet, PresentationAnchor?) async throws(StoreError) -> StoreKit2Statement?,
        clock: any StoreClock
    ) {
        self.listen = listen
        self.products = StoreFunction(products)
        self.unfinished = unfinished
        self.currentEntitlements = currentEntitlements
        self.latest = latest
        self.statuses = StoreFunction(statuses)
        self.history = history
        self.sync = StoreFunction(sync)
        self.canMakePayments = canMakePayments
        self.storefront = storefront
        self.messages = messages
        self.receipt = receipt
        self.present = StoreFunction { (place) async throws(StoreError) in try await present(place.0, place.1) }
        self.clock = clock
    }
}

// In a canceled task, StoreKit reads nothing and throws nothing: no transactions, no statuses, no products.
extension StoreKit2Environment {
    /// Returns the products of an answer, unless the task is canceled and the answer is empty.
    ///
    /// A request for products uses the network, so a canceled caller ends the request. The empty answer of such a
    /// request doesn't mean that the products are unknown.
    /// - Throws: `CancellationError`.
    package static func uncancelledAnswer<Product>(_ products: [Product]) throws -> [Product] {
        if products.isEmpty { try Task.checkCancellation() }
        return products
    }
}
