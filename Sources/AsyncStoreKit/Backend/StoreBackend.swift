package import Foundation

/// The only way out of the store: a payment queue and what belongs to it, in values.
///
/// Every method may be called from any thread, and returns without waiting for the App Store unless it is `async`.
/// `StoreKit1Backend` speaks to StoreKit; `SimulatedBackend` of `AsyncStoreKitTesting` to a simulated App Store.
package protocol StoreBackend: Sendable {
    /// Starts to observe. From here on every event goes to `receive`, in the order in which it happened, first of all
    /// what was in the queue before. Called once.
    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void)
    /// Stops observing. Nothing is received afterwards, and nothing is finished by it.
    func deactivate()

    /// The time by which the store lives.
    var clock: any StoreClock { get }
    /// Whether this device, and the person using it, may buy.
    var canMakePayments: Bool { get }
    /// The account's App Store, where it is known.
    var storefront: AppStorefront? { get }

    /// The greatest token given so far, after every entry that is in the queue at this moment has one.
    func newestToken() -> TransactionToken
    /// Adds a payment to the queue. Its product must have been returned by ``products(for:)``.
    /// - Parameter id: By which a queue that says whose a transaction is answers, in ``QueueEvent/answeredPayment(_:_:answersEarlierPayment:)``.
    func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError)
    /// Nobody waits for a payment any more, or its turn is over: what is held back because it may be the answer is to be told. A backend
    /// that holds nothing back has no need for it.
    func release(_ id: CallID)
    /// The store has dealt with the removal of these entries: what is kept of them for who was told of them before may go. A backend that
    /// keeps nothing has no need for it.
    func forget(_ tokens: [TransactionToken])
    /// Shows one of the system's sheets, and returns when it has been closed, or at once where the system does not say when that is.
    /// - Throws: ``StoreError/Code/unsupported`` where there is none, as every backend does unless it says otherwise.
    func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError)
    /// Takes over the App Store's messages: from here on they are told instead of shown. Doing so again changes nothing.
    func takeMessages()
    /// Takes over what the queue is answered when it asks, in the place of the policies before. Called before
    /// ``activate(_:)``, and whenever they change. A backend whose queue asks nothing has no need for it.
    func apply(_ policies: StorePolicies)
    /// Starts, halts or withdraws downloads of transactions in the queue. Unknown ones are ignored. A backend without hosted
    /// content has no need for it.
    func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID])
    /// Asks for everything bought before. The answer comes as events.
    func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError)
    /// Finishes an entry, before any payment that is submitted later. Unknown tokens are ignored.
    /// - Parameter completion: Called once, when the App Store has been told, or when there is nothing to tell.
    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void)

    /// The app is in front again, or the network is back: what is in the queue may have changed without a word.
    func lookAgain()

    /// Asks the App Store for products. Cancelling the task cancels the request.
    func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse
    /// The receipt on the device.
    func receiptData() throws(StoreError) -> Data
    /// Asks the App Store for a new receipt. Cancelling the task cancels the request.
    func refreshReceipt() async throws(StoreError)

    /// What the device knows of the customer's purchases. Nothing is asked of the network. Read where nobody cancels.
    func purchaseHistory() async throws(StoreError) -> PurchaseHistory
    /// By what the history is verified.
    var historyTrust: HistoryTrust { get async }
    /// What StoreKit says of the introductory offers of a group; `nil` when it says nothing.
    func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool?
}

// What a backend may lack.
extension StoreBackend {
    /// The device's.
    package var clock: any StoreClock { SystemStoreClock() }

    /// Does nothing.
    package func release(_ id: CallID) {}

    /// Does nothing: the queue tells everything by itself.
    package func lookAgain() {}

    /// Does nothing.
    package func forget(_ tokens: [TransactionToken]) {}

    /// Shows nothing.
    package func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError) {
        throw .unsupported(sheet)
    }

    /// There are none.
    package func takeMessages() {}

    /// Does nothing.
    package func apply(_ policies: StorePolicies) {}

    /// The receipt.
    package func purchaseHistory() async throws(StoreError) -> PurchaseHistory { .receipt(try receiptData()) }

    /// Apple's roots, and the app that runs.
    package var historyTrust: HistoryTrust {
        get async { .appStore }
    }

    /// Says nothing.
    package func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? { nil }

    /// Does nothing.
    package func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID]) {}
}

/// What a payment queue tells its observer, as values. A batch stays together.
package enum QueueEvent: Sendable {
    /// Transactions are new, or changed. Whose they are the queue does not say: StoreKit 1.
    case updatedTransactions([StoreTransaction])
    /// What came of a payment, by the queue's own word: StoreKit 2.
    /// - Parameter answersEarlierPayment: Whether the transaction was there before the payment.
    indirect case answeredPayment(CallID, StoreTransaction, answersEarlierPayment: Bool)
    /// Transactions that answer no payment, by the queue's own word. Restored ones are those of the restore that runs, if one does.
    case unsolicitedTransactions([StoreTransaction])
    /// Entries left the queue, because they were finished here or elsewhere.
    case removedTransactions([TransactionToken])
    /// A restore has come to its end.
    case restoreFinished
    /// A restore has failed; some of it may have come before.
    case restoreFailed(StoreError)
    /// The account moved to another country's store.
    case storefrontChanged
    /// Downloads of hosted content have moved on.
    case updatedDownloads([StoreDownload])
    /// Products were taken away.
    case revokedEntitlements(PurchaseRevocation)
    /// A customer has begun a purchase in the App Store.
    indirect case promotedPayment(PromotedPayment)
    /// What the customer owns may have changed, and nothing else tells: a subscription stands in another way, or the app is in front again.
    case entitlementsMayHaveChanged
    /// The App Store has something to say to the customer.
    case message(StoreMessage)
    /// The queue is gone: nothing more will come, and nothing can be done with it.
    case terminated(StoreError)
}

/// Products that were taken away: by a refund, or because a family no longer shares them.
public struct PurchaseRevocation: Sendable, Hashable {
    /// What is no longer owned.
    public let productIDs: Set<String>
    /// The transactions that were taken back; empty over StoreKit 1, which names products only.
    ///
    /// Several of one product may still be owned: which entitles now, the receipt or the entitlements say.
    public let transactions: [StoreTransaction]

    package init(productIDs: Set<String>) {
        self.productIDs = productIDs
        transactions = []
    }

    package init(transactions: [StoreTransaction]) {
        productIDs = Set(transactions.map(\.productID))
        self.transactions = transactions
    }
}

extension StoreError {
    /// There is no such sheet here.
    package static func unsupported(_ sheet: StoreSheet) -> StoreError {
        StoreError(.unsupported, "There is no sheet of this kind (\(sheet)) on this system, or over this engine.")
    }
}
