public import AppReceipt
public import Foundation

extension PurchaseStore {
    /// The receipt on the device, which is what StoreKit 1 has instead of signed transactions.
    public var receipt: StoreReceipt { StoreReceipt(core: core) }
}

/// The receipt on the device, in ``PurchaseStore/receipt``: all purchases of the customer in one text, which Apple has
/// signed.
///
/// StoreKit 2 signs each transaction instead: see ``StorePurchase/jws`` and ``PurchaseStore/transactionHistory()``.
public struct StoreReceipt: Sendable {
    let core: StoreCore

    /// Returns the receipt on the device.
    /// - Throws: ``StoreError/Code/receiptUnavailable`` if the device has no receipt, as in the sandbox before the
    ///   first purchase.
    public func data() throws(StoreError) -> Data {
        try core.backend.receiptData()
    }

    /// Requests a new receipt from the App Store. The system may ask the customer for a password.
    ///
    /// Concurrent calls share one request. Canceling the task only ends this wait.
    /// - Throws: ``StoreError/Code/timedOut`` after ``StoreConfiguration/receiptTimeout``,
    ///   ``StoreError/Code/taskCancelled``, or the error of the App Store or the network.
    public func refresh() async throws(StoreError) {
        try await core.refreshReceipt()
    }

    /// Returns the receipt on the device, and refreshes it first if the policy asks for that.
    ///
    /// Concurrent calls share one refresh. Canceling the task only ends this wait.
    /// - Throws: ``StoreError/Code/receiptIncomplete`` if the receipt still doesn't contain the transaction,
    ///   ``StoreError/Code/receiptInvalid`` if the receipt can't be read, ``StoreError/Code/receiptUnavailable`` if
    ///   there's no receipt after a refresh, and the errors of ``refresh()``.
    public func data(refreshing: ReceiptRefreshPolicy) async throws(StoreError) -> Data {
        switch refreshing {
        case .ifMissing:
            if let data = try? self.data() { return data }
            try await refresh()
        case .always:
            try await refresh()
        case .untilContains(let transaction):
            return try await receipt(containing: transaction)
        }
        return try data()
    }

    /// Returns a verified receipt.
    /// - Parameters:
    ///   - verifier: `.local(bundleID:environment:)` verifies the receipt on the device. With the module
    ///     `AppStoreServer`, `.appleServer(bundleID:environment:)` asks Apple. Your own verifier may ask your server.
    ///   - refreshing: When to request a new receipt first.
    /// - Throws: ``StoreError/Code/receiptInvalid`` with the verifier's error underneath,
    ///   ``StoreError/Code/taskCancelled``, and the errors of ``data(refreshing:)``.
    public func verify(
        using verifier: some ReceiptVerifier, refreshing: ReceiptRefreshPolicy = .ifMissing
    ) async throws(StoreError) -> Receipt {
        // Checks the device even if the compiler doesn't know the type of the verifier.
        if let local = verifier as? LocalReceiptVerifier {
            return try await verify(using: local, refreshing: refreshing)
        }
        let data = try await self.data(refreshing: refreshing)
        do {
            return keepingTime(try await verifier.verify(data))
        } catch {
            throw StoreError(receiptError: error)
        }
    }

    /// Returns a receipt that was verified on the device. If the verifier names no device, the receipt has to be for
    /// this device, on platforms that provide an identifier.
    /// - Throws: ``StoreError/Code/receiptInvalid`` with a `ReceiptVerificationError` underneath that names the failed
    ///   check, ``StoreError/Code/deviceIdentifierUnavailable`` while the device doesn't provide its identifier, as
    ///   after a restart before it's unlocked, and the errors of ``data(refreshing:)``.
    public func verify(
        using verifier: LocalReceiptVerifier, refreshing: ReceiptRefreshPolicy = .ifMissing
    ) async throws(StoreError) -> Receipt {
        let data = try await self.data(refreshing: refreshing)
        guard !Task.isCancelled else { throw .cancelled("the verification of the receipt") }
        return keepingTime(try await verifier.verifyOnThisDevice(data))
    }

    /// Returns the receipt with the store's clock for ``ReceiptEvaluationDate/now``.
    private func keepingTime(_ receipt: Receipt) -> Receipt {
        var receipt = receipt
        receipt.clock = { [clock = core.clock] in clock.now }
        return receipt
    }

    private func receipt(containing transaction: StoreTransaction) async throws(StoreError) -> Data {
        guard let id = transaction.id else {
            throw StoreError(
                .receiptIncomplete,
                "The transaction for \"\(transaction.productID)\" has no identifier, so no receipt contains it.")
        }
        // No receipt contains the identifier of a restored transaction. The receipt has the original.
        let ids = [id, transaction.state == .restored ? transaction.original?.id : nil].compactMap(\.self)
        if let data = try? self.data(), try contains(data, ids) { return data }
        for pause in [0.0, 1, 2, 4, 8] {
            do {
                if pause > 0 { try await core.clock.sleep(for: pause) }
            } catch {
                throw .cancelled("a receipt that contains \(id)")
            }
            try await refresh()
            let data = try self.data()
            if try contains(data, ids) { return data }
        }
        throw StoreError(
            .receiptIncomplete, "The receipt still does not contain transaction \(id) for \"\(transaction.productID)\"."
        )
    }

    private func contains(_ data: Data, _ transactionIDs: [String]) throws(StoreError) -> Bool {
        do {
            let receipt = try Receipt.unverified(pkcs7: data)
            return transactionIDs.contains { receipt.transaction(id: $0) != nil }
        } catch {
            throw StoreError(receiptError: error)
        }
    }
}

extension StoreError {
    fileprivate init(receiptError error: any Error) {
        let isCancellation = error is CancellationError || (error as? any CancellationReporting)?.isCancellation == true
        guard !isCancellation else {
            self = .cancelled("the verification of the receipt")
            return
        }
        self.init(.receiptInvalid, "The receipt is not accepted: \(error)", underlying: error)
    }
}

extension Receipt {
    /// Returns whether the customer is eligible for the introductory offer of a product, according to this receipt: the
    /// product has an offer, and none was used in its subscription group.
    ///
    /// `false` for a product without an introductory offer. The App Store may decide differently when it shows the
    /// sheet.
    /// - Parameter products: The app's products; those of the same group are used.
    public func isEligibleForIntroductoryOffer(_ product: StoreProduct, in products: some Sequence<StoreProduct>)
        -> Bool
    {
        guard product.introductoryOffer != nil else { return false }
        let group = products.filter {
            $0.subscriptionGroupID != nil && $0.subscriptionGroupID == product.subscriptionGroupID
        }
        return !hasUsedIntroductoryOffer(among: Set(group.map(\.id) + [product.id]))
    }
}

/// When to request a new receipt.
public enum ReceiptRefreshPolicy: Sendable, Hashable {
    /// Only if the device has no receipt. The App Store is asked at most once.
    case ifMissing
    /// Always. Customers may have to enter their password.
    case always
    /// Until the receipt contains this transaction, or the one that it restores: receipts sometimes lag behind
    /// purchases and renewals.
    ///
    /// The App Store is asked at most five times, after pauses of 1, 2, 4 and 8 seconds.
    case untilContains(StoreTransaction)
}
