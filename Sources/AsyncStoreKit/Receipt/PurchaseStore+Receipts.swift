public import AppReceipt
public import Foundation

extension PurchaseStore {
    /// The receipt on the device, refreshed as asked.
    ///
    /// Callers at the same time share one refresh. Cancelling the task ends this wait only.
    /// - Throws: ``StoreError/Code/receiptIncomplete`` when a receipt that was to hold a transaction still does not,
    ///   ``StoreError/Code/receiptInvalid`` when it cannot be read to see, ``StoreError/Code/receiptUnavailable`` when
    ///   there is none after a refresh either, and what ``refreshReceipt()`` throws.
    public func receiptData(refreshing: ReceiptRefreshPolicy) async throws(StoreError) -> Data {
        switch refreshing {
        case .ifMissing:
            if let data = try? receiptData() { return data }
            try await refreshReceipt()
        case .always:
            try await refreshReceipt()
        case .untilContains(let transaction):
            return try await receipt(containing: transaction)
        }
        return try receiptData()
    }

    /// A genuine receipt: fetched, verified and read.
    /// - Parameters:
    ///   - verifier: `.local(bundleID:)` verifies on the device, `.appleServer(bundleID:)` asks Apple, and an app's own
    ///     may ask its server.
    ///   - refreshing: When to ask the App Store for a new receipt first.
    /// - Throws: ``StoreError/Code/receiptInvalid`` with what the verifier threw underneath,
    ///   ``StoreError/Code/taskCancelled``, and what ``receiptData(refreshing:)`` throws.
    public func verifyReceipt(
        using verifier: some ReceiptVerifier, refreshing: ReceiptRefreshPolicy = .ifMissing
    ) async throws(StoreError) -> Receipt {
        // Also where its type is not known when this is compiled, the device is checked.
        if let local = verifier as? LocalReceiptVerifier { return try await verifyReceipt(using: local, refreshing: refreshing) }
        let data = try await receiptData(refreshing: refreshing)
        do {
            return keepingTime(try await verifier.verify(data))
        } catch {
            throw StoreError(receiptError: error)
        }
    }

    /// A receipt verified on the device. Unless the verifier names one, the device is this one, where the platform
    /// tells.
    /// - Throws: ``StoreError/Code/receiptInvalid`` with a `ReceiptVerificationError` underneath that says which check
    ///   failed, ``StoreError/Code/deviceIdentifierUnavailable`` while the device does not tell its identifier, as
    ///   after a restart before it has been unlocked, and what ``receiptData(refreshing:)`` throws.
    public func verifyReceipt(
        using verifier: LocalReceiptVerifier, refreshing: ReceiptRefreshPolicy = .ifMissing
    ) async throws(StoreError) -> Receipt {
        let data = try await receiptData(refreshing: refreshing)
        var failure: (any Error)?
        for candidate in try await verifiers(for: verifier) {
            do {
                return keepingTime(try await candidate.verify(data))
            } catch {
                failure = failure ?? error
                // Only another address of the same device can make a difference.
                guard (error as? ReceiptVerificationError)?.check == .device else { break }
            }
        }
        throw StoreError(receiptError: failure ?? CancellationError())
    }

    /// The receipt, with the store's clock for ``ReceiptEvaluationDate/now``.
    private func keepingTime(_ receipt: Receipt) -> Receipt {
        var receipt = receipt
        receipt.clock = { [clock = core.clock] in clock.now }
        return receipt
    }

    /// The verifier for every identifier that this device may go by.
    private func verifiers(for verifier: LocalReceiptVerifier) async throws(StoreError) -> [LocalReceiptVerifier] {
        guard verifier.device == nil else { return [verifier] }
        do throws(DeviceIdentifierError) {
            let devices = try await DeviceIdentifier.candidatesOfThisDevice()
            guard !devices.isEmpty else { return [verifier] }
            return devices.map { device in
                var verifier = verifier
                verifier.device = device
                return verifier
            }
        } catch {
            throw StoreError(.deviceIdentifierUnavailable, error.description, underlying: error)
        }
    }

    private func receipt(containing transaction: StoreTransaction) async throws(StoreError) -> Data {
        guard let id = transaction.id else {
            throw StoreError(.receiptIncomplete, "The transaction for \"\(transaction.productID)\" has no identifier: no receipt holds it.")
        }
        // A restored transaction is new, and in no receipt: what it repeats is.
        let ids = [id, transaction.state == .restored ? transaction.original?.id : nil].compactMap(\.self)
        if let data = try? receiptData(), try contains(data, ids) { return data }
        for pause in [0.0, 1, 2, 4, 8] {
            do {
                if pause > 0 { try await core.clock.sleep(for: pause) }
            } catch {
                throw .cancelled("a receipt that contains \(id)")
            }
            try await refreshReceipt()
            let data = try receiptData()
            if try contains(data, ids) { return data }
        }
        throw StoreError(
            .receiptIncomplete, "The receipt still does not contain transaction \(id) for \"\(transaction.productID)\".")
    }

    private func contains(_ data: Data, _ transactionIDs: [String]) throws(StoreError) -> Bool {
        do {
            let receipt = try Receipt(pkcs7: data)
            return transactionIDs.contains { receipt.transaction(id: $0) != nil }
        } catch {
            throw StoreError(receiptError: error)
        }
    }
}

extension StoreError {
    fileprivate init(receiptError error: any Error) {
        let isCancellation = error is CancellationError || (error as? VerifyReceiptError)?.code == .cancelled
        guard !isCancellation else {
            self = .cancelled("the verification of the receipt")
            return
        }
        self.init(.receiptInvalid, "The receipt is not accepted: \(error)", underlying: error)
    }
}

extension Receipt {
    /// Whether the customer may have the introductory offer of a product, going by this receipt: it has one, and none
    /// has been used in its subscription group.
    ///
    /// `false` for a product without such an offer. Where the App Store knows better, the sheet says so.
    /// - Parameter products: The app's products; those of the same group count.
    public func isEligibleForIntroductoryOffer(_ product: StoreProduct, in products: some Sequence<StoreProduct>) -> Bool {
        guard product.introductoryOffer != nil else { return false }
        let group = products.filter { $0.subscriptionGroupID != nil && $0.subscriptionGroupID == product.subscriptionGroupID }
        return !hasUsedIntroductoryOffer(among: Set(group.map(\.id) + [product.id]))
    }
}

/// When a new receipt is asked for.
public enum ReceiptRefreshPolicy: Sendable, Hashable {
    /// Only when there is none on the device. The App Store is asked at most once.
    case ifMissing
    /// In any case. People may be asked for their password.
    case always
    /// Until the receipt holds this transaction, or the one that it restores: receipts have been seen to lag behind
    /// purchases and renewals.
    ///
    /// The App Store is asked five times at the most, after pauses of 1, 2, 4 and 8 seconds.
    case untilContains(StoreTransaction)
}
