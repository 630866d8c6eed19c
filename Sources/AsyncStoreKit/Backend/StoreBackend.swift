public import AppReceipt
public import Foundation

/// The store's only connection to an App Store: a payment queue and everything that belongs to it, as values.
///
/// Call every method from any thread. A method that isn't `async` returns without waiting for the App Store.
/// `StoreKit1Backend` and `StoreKit2Backend` use StoreKit. `SimulatedBackend` of `AsyncStoreKitTesting` simulates
/// either engine over a simulated App Store.
///
/// No requirement has a default implementation, so the compiler finds every backend that a new requirement concerns,
/// including those that pass everything on to another backend.
package protocol StoreBackend: Sendable {
    /// Starts to observe the queue. Called once.
    ///
    /// `receive` is called with every later event, in the order in which the events happen. The first events
    /// report the transactions that are in the queue already.
    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void)
    /// Stops observing the queue. Finishes nothing, and reports nothing afterwards.
    func deactivate()

    /// The clock that the store uses.
    var clock: any StoreClock { get }
    /// How long the backend may stay silent about a payment before the next one starts, in seconds, unless the
    /// configuration says otherwise.
    var usualPaymentResponseTimeout: TimeInterval { get }
    /// Whether this device and its user can make payments.
    var canMakePayments: Bool { get }
    /// The account's storefront, if it's known.
    var storefront: AppStorefront? { get }
    /// Controls downloads of hosted content; `nil` if the backend has no hosted content.
    var hostedContent: (any HostedContentBackend)? { get }
    /// Presents the system's sheets and messages; `nil` if the backend has none.
    var sheets: (any SystemSheetBackend)? { get }

    /// Gives every entry in the queue a token, and returns the greatest token given so far. `nil` if the queue itself
    /// says which payment a transaction answers.
    func newestToken() -> TransactionToken?
    /// Adds a payment to the queue. ``products(for:)`` must have returned its product.
    /// - Parameter id: Identifies the payment in ``QueueEvent/answeredPayment(_:_:isPreexisting:)``, if the
    ///   queue says which payment a transaction answers.
    func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError)
    /// Ends the attribution to a payment: no call waits for it any more, or the next payment has started.
    ///
    /// The backend reports the transactions that it held back because they might have answered the payment.
    func release(_ id: CallID)
    /// Drops what the backend keeps of entries whose removal the store has processed.
    func forget(_ tokens: [TransactionToken])
    /// Replaces the policies by which the backend answers the queue's questions. Called before ``activate(_:)``, and
    /// whenever the policies change.
    func apply(_ policies: PaymentQueuePolicies)
    /// Starts a restore. Its result arrives as events.
    func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError)
    /// Finishes an entry, before any payment that is submitted later. Ignores unknown tokens.
    /// - Parameter completion: Called once, when the App Store has been told or when there's nothing to tell.
    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void)
    /// Whether ``finish(_:completion:)`` always calls its completion before it returns.
    var finishesImmediately: Bool { get }
    /// Reads the queue again, because it may have changed without an event: the app has become active, or
    /// the network is available again.
    func refreshPendingState()

    /// Requests products from the App Store. Canceling the task cancels the request.
    func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse
    /// Returns the receipt on the device.
    func receiptData() throws(StoreError) -> Data
    /// Requests a new receipt from the App Store. Canceling the task cancels the request.
    func refreshReceipt() async throws(StoreError)

    /// Reads the evidence for entitlements, without using the network. Called in a task that nothing cancels.
    /// - Parameter groups: Subscription groups whose status is to be read, even if nothing that the device lists names
    ///   them.
    func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory
    /// Reads every purchase that the device knows, which can take long. Called in a task that nothing cancels.
    func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory
    /// Returns the signed app transaction, or `nil` if the receipt contains it. StoreKit 2 may ask the customer to sign
    /// in.
    ///
    /// Concurrent calls share one request. A canceled call throws; its request continues, and the result is kept.
    func appTransaction() async throws(StoreError) -> String?
    /// The certificates, the app, the environment and the device by which the purchase history and the entitlement
    /// cache are verified.
    var historyTrust: HistoryTrust { get async }
    /// Whether the customer is eligible for introductory offers of a subscription group; `nil` if StoreKit doesn't say.
    func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool?
}

/// The part of a backend that downloads content hosted by the App Store.
package protocol HostedContentBackend: Sendable {
    /// Starts, pauses, resumes or cancels downloads of transactions in the queue. Ignores unknown downloads.
    func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID])
}

/// An event of a payment queue. A batch stays together.
package enum QueueEvent: Sendable {
    /// Transactions are new, or have changed. StoreKit 1 doesn't say which payment they answer.
    case updatedTransactions([StoreTransaction])
    /// The outcome of a payment, as StoreKit 2 attributes it.
    /// - Parameter isPreexisting: Whether the transaction was there before the payment.
    indirect case answeredPayment(CallID, StoreTransaction, isPreexisting: Bool)
    /// Transactions that don't answer a payment, as StoreKit 2 attributes them.
    case unsolicitedTransactions([StoreTransaction])
    /// Transactions of the running restore, as StoreKit 2 attributes them. A transaction can have been reported before.
    case restoredTransactions([StoreTransaction])
    /// The transactions that were in the queue at ``StoreBackend/activate(_:)`` have been reported. StoreKit 2 says so
    /// after each read. StoreKit 1 doesn't say so: its first ``updatedTransactions(_:)`` has them all.
    case initialTransactionsReported
    /// Entries that the queue's lists lack. Those that aren't being delivered or finished leave.
    case unlistedTransactions([TransactionToken])
    /// Entries left the queue, because they were finished here or elsewhere.
    case removedTransactions([TransactionToken])
    /// ``StoreBackend/finish(_:completion:)`` had no effect: the queue has no object for the entry.
    case nothingToFinish(TransactionToken)
    /// A restore has finished.
    case restoreFinished
    /// A restore has failed. Transactions may have arrived before.
    case restoreFailed(StoreError)
    /// The account moved to another country's store.
    case storefrontChanged
    /// Downloads of hosted content have changed.
    case updatedDownloads([StoreDownload])
    /// Purchases were revoked.
    case revokedEntitlements(PurchaseRevocation)
    /// The refund of transactions was reversed. Those that this process hasn't delivered are reported again, too.
    case reinstatedTransactions([StoreTransaction])
    /// A subscription was replaced by a higher one of its group. There is nothing to deliver.
    case upgradedTransaction(StoreTransaction)
    /// A customer has started a purchase in the App Store.
    indirect case promotedPayment(PromotedPayment)
    /// Entitlements may have changed without another event, such as after a new status of a subscription.
    case entitlementsMayHaveChanged
    /// The App Store has a message for the customer.
    case message(StoreMessage)
    /// The queue has ended: no events follow, and calls fail.
    case terminated(StoreError)
}

/// Products that Apple has revoked, after a refund or because the family no longer shares them.
public struct PurchaseRevocation: Sendable, Hashable {
    /// The products that the customer no longer owns.
    public let productIDs: Set<String>
    /// The revoked transactions; empty over StoreKit 1, which reports only products.
    ///
    /// The customer may still own another purchase of the same product. To check access, use
    /// ``PurchaseStore/entitlements``.
    public let transactions: [StoreTransaction]

    /// The revocation date, if any; `nil` over StoreKit 1.
    public var date: Date? { info?.revocationDate }
    /// The reason for the revocation, if any; `nil` over StoreKit 1.
    public var reason: RevocationReason? { info?.revocationReason }
    /// How much of the purchase Apple refunded; `nil` if Apple doesn't say, and over StoreKit 1.
    public var type: RevocationType? { info?.revocationType }
    /// The percentage of the price that was refunded, from 0 to 100; `nil` if Apple doesn't say, and over StoreKit 1.
    public var percentage: Decimal? { info?.revocationPercentage }

    /// The transaction that was revoked last. StoreKit 2 reports one at a time.
    private var info: SignedTransactionInfo? {
        transactions.compactMap(\.signedInfo).max {
            $0.revocationDate ?? .distantPast < $1.revocationDate ?? .distantPast
        }
    }

    package init(productIDs: Set<String>) {
        self.productIDs = productIDs
        transactions = []
    }

    package init(transactions: [StoreTransaction]) {
        productIDs = Set(transactions.map(\.productID))
        self.transactions = transactions
    }
}

extension PurchaseRevocation: CustomStringConvertible {
    /// The products, and the transactions if they're known, on one line.
    public var description: String {
        let transactions = transactions.map(\.description).joined(separator: "; ")
        return "revoked " + (transactions.isEmpty ? productIDs.sorted().joined(separator: ", ") : transactions)
    }
}
