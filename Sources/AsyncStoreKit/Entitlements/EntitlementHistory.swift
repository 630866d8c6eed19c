import AppReceipt
import Foundation

/// A verified purchase history, from one read of the device or from the cache.
struct EntitlementHistory: Sendable {
    /// The transactions that the device lists as owned, in any order and with repetitions: evidence of access.
    var transactions: [SignedStatement<ReceiptTransaction>] = []
    /// The latest transaction of each subscription, as its status has it: evidence of access.
    var subscriptions: [SignedStatement<ReceiptTransaction>] = []
    /// The states of the subscriptions.
    var statuses: [SubscriptionStatusReport] = []
    /// StoreKit's latest transaction of each product that an earlier read listed, and this one doesn't.
    var latest: [SignedStatement<ReceiptTransaction>] = []
    /// The transactions that the app hasn't finished: evidence of access, even if the device doesn't list them yet.
    var unfinished: [SignedStatement<ReceiptTransaction>] = []
    /// The transactions of the full history. They say why access ended, and never give access.
    var past: [SignedStatement<ReceiptTransaction>] = []
    /// Whether ``past`` is complete.
    var hasReadPast = true
    /// How the subscriptions continue.
    var renewals: [SignedStatement<ReceiptRenewal>] = []
    /// The customer, as the listed transactions say; `nil` when they don't.
    var customerID: String?
    /// The products that are left out because their signature isn't valid.
    var unverifiedProductIDs: Set<String> = []
    /// When reads of the device last confirmed the purchases that give access, or that there are none. Only evidence
    /// for the cache has it.
    var confirmedDate: Date?
    /// When the cache was saved; `nil` for another source, and for a cache without a valid seal.
    var savedDate: Date?
    /// The latest date that Apple has signed.
    var latestSignedDate: Date?
    /// The receipt of the history. The receipt is signed as a whole, so nothing can be missing from it, even if it's
    /// empty.
    var receipt: Receipt?
    /// Why the history may be incomplete.
    var failure: StoreError?
}

extension EntitlementHistory {
    /// Creates the history of StoreKit 2, which has verified it.
    init(_ history: SignedPurchaseHistory) {
        transactions = history.transactions
        subscriptions = history.subscriptions
        statuses = history.statuses
        latest = history.latest
        unfinished = history.unfinished
        past = history.past
        hasReadPast = history.hasReadPast
        renewals = history.renewals
        customerID = (transactions + subscriptions).customerID
        unverifiedProductIDs = history.unverifiedProductIDs
        failure = history.failure
        for list in [transactions, subscriptions, unfinished, past, latest] {
            for statement in list { note(signed: statement.value.signedDate) }
        }
        for statement in renewals { note(signed: statement.value.signedDate) }
    }

    /// Creates the history of a verified receipt.
    init(_ receipt: Receipt) {
        let date = receipt.requestDate ?? receipt.creationDate
        transactions = receipt.transactions.map { row in
            // The receipt is signed as a whole, and its rows with it.
            var row = row
            row.signedDate = row.signedDate ?? date
            return SignedStatement(row, text: nil)
        }
        renewals = receipt.renewals.map { SignedStatement($0, text: nil) }
        latestSignedDate = date
        self.receipt = receipt
    }

    /// Records a date that Apple has signed.
    mutating func note(signed date: Date?) {
        guard let date else { return }
        if let latest = latestSignedDate, latest >= date { return }
        latestSignedDate = date
    }

    var isSignedAsWhole: Bool { receipt != nil }

    /// Returns whether another read had the same content, however often Apple has signed it since.
    func hasSameContent(as other: EntitlementHistory) -> Bool {
        failure == nil && other.failure == nil && unverifiedProductIDs == other.unverifiedProductIDs
            && customerID == other.customerID
            && transactions.elementsEqual(other.transactions) { $0.value == $1.value }
            && subscriptions.elementsEqual(other.subscriptions) { $0.value == $1.value }
            && unfinished.elementsEqual(other.unfinished) { $0.value == $1.value }
            && past.elementsEqual(other.past) { $0.value == $1.value }
            && latest.elementsEqual(other.latest) { $0.value == $1.value }
            && renewals.elementsEqual(other.renewals) { $0.value == $1.value && $0.value.terms == $1.value.terms }
    }

    /// Every transaction of the customer, each as Apple signed it last, in any order.
    var customersTransactions: [SignedStatement<ReceiptTransaction>] {
        let own = ofOneCustomer(customerID)
        let customerID = own.customerID ?? unfinished.customerID
        var newest = EntitlementEvaluator.newest(own.transactions + own.subscriptions)
        let others = EntitlementEvaluator.newest((unfinished + past + latest).belonging(to: customerID))
        newest.merge(others) { $1.value.isSignedLater(than: $0.value) ? $1 : $0 }
        return Array(newest.values)
    }

    /// Returns the history of one customer. If the device lists purchases of several, as it may while the account
    /// changes, those of the others are left out, and the history counts as incomplete.
    /// - Parameter known: The customer of earlier reads. If the device lists nothing of this customer, the
    ///   customer counts whose purchase Apple signed last.
    func ofOneCustomer(_ known: String?) -> EntitlementHistory {
        let listed = transactions + subscriptions
        guard listed.haveSeveralCustomers else { return self }
        let own = listed.map(\.value).filter { !$0.isPaidByOthers && $0.appTransactionID != nil }
        let isKnown = own.contains { $0.appTransactionID == known }
        let latest = own.max {
            ($0.signedDate ?? .distantPast, $0.transactionID) < ($1.signedDate ?? .distantPast, $1.transactionID)
        }
        var history = self
        history.customerID = isKnown ? known : latest?.appTransactionID
        history.transactions = transactions.belonging(to: history.customerID)
        history.subscriptions = subscriptions.belonging(to: history.customerID)
        let originals = Set((history.transactions + history.subscriptions).map(\.value.originalTransactionID))
        history.statuses = statuses.filter { originals.contains($0.originalTransactionID) }
        history.failure = failure ?? StoreError(.unknown, "The device lists purchases of several customers.")
        return history
    }

    /// Returns the customer's transactions as a receipt. A transaction that only the full history has is included if it
    /// has ended, or if it's a consumable.
    /// - Parameter date: The moment to judge.
    func receipt(at date: Date) -> Receipt {
        if let receipt { return receipt }
        let evidence = Set(
            [transactions, subscriptions, unfinished].joined().map { EntitlementEvaluator.Key($0.value) })
        let rows = customersTransactions.map(\.value).filter { row in
            evidence.contains(EntitlementEvaluator.Key(row)) || row.productKind == .consumable || !row.isValid
                || row.expirationDate.map { $0 <= date } ?? false
        }
        return Receipt(ReceiptContents(transactions: rows, renewals: renewals.map(\.value)))
    }

    /// Verifies the transactions that aren't verified yet.
    /// - Throws: ``StoreError/Code/receiptInvalid``, and ``StoreError/Code/deviceIdentifierUnavailable`` while the
    ///   device doesn't provide its identifier.
    static func verified(_ history: PurchaseHistory, _ trust: HistoryTrust) async throws(StoreError)
        -> EntitlementHistory
    {
        switch history {
        case .signed(let history): return EntitlementHistory(history)
        case .receipt(let data): return EntitlementHistory(try await verifiedReceipt(data, trust))
        }
    }

    /// Verifies a receipt for each identifier that this device can have.
    private static func verifiedReceipt(_ data: Data, _ trust: HistoryTrust) async throws(StoreError) -> Receipt {
        let devices: [DeviceIdentifier]
        do {
            devices = try await DeviceIdentifier.candidatesOfThisDevice()
        } catch {
            throw StoreError(.deviceIdentifierUnavailable, error.description, underlying: error)
        }
        return try receipt(data, trust, for: devices)
    }

    /// Returns the receipt if it is for one of the devices. Without devices, as on platforms without an identifier, the
    /// receipt may be for any device. The receipt has to be of the environment, if that is known.
    static func receipt(_ data: Data, _ trust: HistoryTrust, for devices: [DeviceIdentifier]) throws(StoreError)
        -> Receipt
    {
        guard let bundleID = trust.bundleID else {
            throw StoreError(.receiptInvalid, "The receipt can't be verified: the app's bundle identifier isn't known.")
        }
        var verifier = LocalReceiptVerifier(
            bundleID: .exactly(bundleID), environment: trust.environment, trustAnchors: trust.receiptAnchors)
        var failure: ReceiptVerificationError?
        for device in devices.isEmpty ? [nil] : devices.map(Optional.some) {
            verifier.device = device
            do throws(ReceiptVerificationError) {
                return try verifier.verify(data)
            } catch {
                failure = failure ?? error
                // Only another address of the same device can make a difference.
                guard error.check == .device else { break }
            }
        }
        throw StoreError(
            .receiptInvalid, "The receipt is not accepted: \(failure?.description ?? "")", underlying: failure)
    }
}
