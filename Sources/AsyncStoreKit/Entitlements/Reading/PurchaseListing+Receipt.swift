import AppReceipt
import Foundation

extension PurchaseListing {
    /// Creates the listing of the device's verified receipt, which has no renewal information.
    init(_ receipt: Receipt) {
        let date = receipt.requestDate ?? receipt.creationDate
        self.init()
        transactions = receipt.transactions.map { row in
            // The receipt is signed as a whole, and its rows with it.
            var facts = row.facts
            facts.offer = row.offer
            facts.signedDate = facts.signedDate ?? date
            return VerifiedTransaction(facts, unknownFields: row.unknownFields)
        }
        addSignedDate(date)
        self.receipt = receipt
    }

    var isSignedAsWhole: Bool { receipt != nil }

    /// Returns the customer's transactions as a receipt. A transaction that only the full history has is included if it
    /// has ended, or if it's a consumable.
    /// - Parameter date: The moment of the evaluation.
    func receipt(at date: Date) -> Receipt {
        if let receipt { return receipt }
        let evidence = Set(
            [transactions, subscriptions, unfinished].joined().map { TransactionKey($0.facts) })
        let rows = customersTransactions.compactMap { transaction -> ReceiptTransaction? in
            let row = transaction.facts
            let isIncluded =
                evidence.contains(TransactionKey(row)) || row.productKind == .consumable || !row.isValid
                || row.expirationDate.map { $0 <= date } ?? false
            return isIncluded ? ReceiptTransaction(row, unknownFields: transaction.unknownFields) : nil
        }
        return Receipt(ReceiptContents(transactions: rows, renewals: renewals.map(\.receiptRenewal)))
    }

    /// Verifies the transactions that aren't verified yet.
    /// - Throws: ``StoreError/Code/receiptInvalid``, and ``StoreError/Code/deviceIdentifierUnavailable`` while the
    ///   device doesn't provide its identifier.
    static func verified(_ history: PurchaseHistory, _ trust: HistoryTrust) async throws(StoreError)
        -> PurchaseListing
    {
        switch history {
        case .signed(let listing): return PurchaseListing(completing: listing)
        case .receipt(let data):
            return PurchaseListing(try await trust.receiptVerifier().verifyOnThisDevice(data))
        }
    }
}

extension HistoryTrust {
    /// Returns the verifier of the app's receipts. A receipt has to be of the environment, if that is known.
    func receiptVerifier() throws(StoreError) -> LocalReceiptVerifier {
        guard let bundleID else {
            throw StoreError(.receiptInvalid, "The receipt can't be verified: the app's bundle identifier isn't known.")
        }
        return LocalReceiptVerifier(
            bundleID: .exactly(bundleID), environment: environment, device: nil, trustAnchors: receiptAnchors)
    }
}

extension LocalReceiptVerifier {
    /// Verifies a receipt for each identifier that this device can have, unless the verifier names a device.
    func verifyOnThisDevice(_ data: Data) async throws(StoreError) -> Receipt {
        let devices: [DeviceIdentifier]
        do {
            devices = device == nil ? try await DeviceIdentifier.candidatesOfThisDevice() : []
        } catch {
            throw StoreError(.deviceIdentifierUnavailable, error.description, underlying: error)
        }
        return try verify(data, for: devices)
    }

    /// Returns the receipt if it is for one of the devices. Without devices, as on platforms without an identifier, the
    /// verifier's device decides, or the receipt may be for any device.
    func verify(_ data: Data, for devices: [DeviceIdentifier]) throws(StoreError) -> Receipt {
        var verifier = self
        var failure: ReceiptVerificationError?
        for device in devices.isEmpty ? [device] : devices.map(Optional.some) {
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

// Reports of the payment queue, which StoreKit 1 doesn't sign, like the rows of a receipt.

extension VerifiedTransaction {
    /// Creates the record of a transaction that the payment queue has reported.
    ///
    /// Over StoreKit 2, StoreKit has verified the signed text, which has the end of the period. Over
    /// StoreKit 1, it isn't signed, and the product's period gives its end.
    ///
    /// Returns `nil` for an unsigned transaction that is restored, or that lacks its identifier or its date.
    /// - Parameter product: Returns a loaded product by its identifier.
    init?(report transaction: StoreTransaction, product: (String) -> StoreProduct?) {
        if let text = transaction.signedText, let info = text.info {
            self.init(info, text: { text.jws })
            return
        }
        guard transaction.state == .purchased, var row = PurchaseFacts(transaction) else { return nil }
        if let product = product(row.productID) {
            row.productKind = ProductKind(product)
            row.subscriptionGroupID = product.subscriptionGroupID
            row.expirationDate = product.subscriptionPeriod.flatMap { $0.end(from: row.purchaseDate) }
        }
        self.init(row)
    }
}

extension ProductKind {
    /// `nil` where the App Store doesn't say: StoreKit 1 identifies a subscription by its period only.
    fileprivate init?(_ product: StoreProduct) {
        guard let kind = product.kind ?? (product.subscriptionPeriod != nil ? .autoRenewable : nil) else { return nil }
        self = kind
    }
}

extension PurchaseFacts {
    /// Creates the row for a reported transaction; `nil` if the report has too few details.
    fileprivate init?(_ transaction: StoreTransaction) {
        guard let id = transaction.id, let date = transaction.purchaseDate else { return nil }
        self.init(
            productID: transaction.productID, transactionID: id, purchaseDate: date, quantity: transaction.quantity,
            originalTransactionID: transaction.originalID, originalPurchaseDate: transaction.originalPurchaseDate)
        appAccountToken = transaction.applicationUsername.flatMap(UUID.init(uuidString:))
    }
}
