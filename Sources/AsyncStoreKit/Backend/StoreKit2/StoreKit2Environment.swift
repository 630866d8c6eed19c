/// The source of StoreKit 2's values: the device, one launch over this package's StoreKit, or a simulated App Store.
///
/// ``StoreKit2Backend`` and ``StoreKit2Queue`` know StoreKit through an environment only. Cancellation ends no read but
/// that of the products: in a canceled task, StoreKit reads nothing and throws nothing.
package protocol StoreKit2Environment: Sendable {
    /// Calls the closure with everything that happens from the moment at which this function returns, so whatever is
    /// read afterwards misses nothing.
    func listen(_ receive: @escaping @Sendable (StoreKit2Event) -> Void) -> StoreKit2Listening
    func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product]
    func unfinished() async -> [StoreKit2SignedTransaction]
    func currentEntitlements() async -> [StoreKit2SignedTransaction]
    func latest(_ productID: String) async -> StoreKit2SignedTransaction?
    func statuses(_ groupID: String) async throws(StoreError) -> [StoreKit2Status]
    /// Reads `Transaction.all`, which is slow if the history is long.
    func allTransactions() async -> [StoreKit2SignedTransaction]
    /// Reads `AppTransaction.shared`, which may ask the customer to sign in. Returns the signed text of a verified app
    /// transaction, or `nil` where the system has no app transactions.
    func appTransaction() async throws(StoreError) -> String?
    func isEligibleForIntroductoryOffer(_ groupID: String) async -> Bool
    var trust: HistoryTrust { get }
    func sync() async throws(StoreError)
    var canMakePayments: Bool { get }
    func storefront() async -> AppStorefront?
    /// Receives the App Store's messages, which the system otherwise presents.
    func messages(_ receive: @escaping @Sendable (StoreMessage) -> Void) -> StoreKit2Listening
    var receipt: DeviceReceipt { get }
    /// Presents a sheet. Returns the transaction of a redeemed offer code, if the system returns it.
    /// - Throws: ``StoreError/Code/unsupported`` if the system doesn't have the sheet.
    func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError)
        -> StoreKit2SignedTransaction?
    var clock: any StoreClock { get }
}

/// An event that no call has asked for. Indirect, because products and signed transactions are large.
package indirect enum StoreKit2Event: Sendable {
    case transaction(StoreKit2SignedTransaction)
    case storefront(AppStorefront)
    /// A customer has started a purchase in the App Store, with this offer.
    case intent(StoreKit2Product, offer: PurchaseOffer?)
    /// An event that the backend passes on: the status of a subscription has changed.
    case other(QueueEvent)
}

/// Ends an observation.
package typealias StoreKit2Listening = @Sendable () -> Void
