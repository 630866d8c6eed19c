import AppReceipt
import Foundation

/// A purchase history that has been verified, as one read of the device, or the cache, has brought it.
struct EntitlementHistory: Sendable {
    /// The transactions, in any order and with repetitions.
    var transactions: [SignedStatement<ReceiptTransaction>] = []
    /// How the subscriptions continue.
    var renewals: [SignedStatement<ReceiptRenewal>] = []
    /// The customer's download of the app; another one is another customer's.
    var app: SignedStatement<SignedPurchaseHistory.AppDownload>?
    /// What has been left out because it does not verify.
    var unverifiedProductIDs: Set<String> = []
    /// The latest date of which Apple says that it has come.
    var latestSignedDate: Date?
    /// The receipt that it was read from, which is signed as a whole, so that nothing can be missing from it: also when it is empty.
    var receipt: Receipt?
    /// Why something may be missing.
    var failure: StoreError?
}

extension EntitlementHistory {
    /// What StoreKit 2 knows. It has verified it.
    init(_ history: SignedPurchaseHistory) {
        transactions = history.transactions
        renewals = history.renewals
        app = history.app
        unverifiedProductIDs = history.unverifiedProductIDs
        failure = history.failure
        for statement in transactions { note(signed: statement.value.signedDate) }
        for statement in renewals { note(signed: statement.value.signedDate) }
    }

    /// What a receipt knows, which has been verified.
    init(_ receipt: Receipt) {
        transactions = receipt.transactions.map { SignedStatement($0, text: nil) }
        renewals = receipt.renewals.map { SignedStatement($0, text: nil) }
        latestSignedDate = receipt.requestDate ?? receipt.creationDate
        self.receipt = receipt
    }

    /// Takes over a date at which Apple has signed something.
    mutating func note(signed date: Date?) {
        guard let date else { return }
        if let latest = latestSignedDate, latest >= date { return }
        latestSignedDate = date
    }

    var isSignedAsWhole: Bool { receipt != nil }

    /// Whether another read has brought the same, however often Apple has signed it since.
    func saysTheSame(as other: EntitlementHistory) -> Bool {
        failure == nil && other.failure == nil && unverifiedProductIDs == other.unverifiedProductIDs
            && transactions.elementsEqual(other.transactions) { $0.value == $1.value }
            && renewals.elementsEqual(other.renewals) { $0.value == $1.value && $0.value.terms == $1.value.terms }
    }

    /// Verifies what is not verified yet.
    /// - Throws: ``StoreError/Code/receiptInvalid``, and ``StoreError/Code/deviceUnidentified`` while the device does not tell its identifier.
    static func verified(_ history: PurchaseHistory, _ trust: HistoryTrust) async throws(StoreError) -> EntitlementHistory {
        switch history {
        case .signed(let history): return EntitlementHistory(history)
        case .receipt(let data): return EntitlementHistory(try await verifiedReceipt(data, trust))
        }
    }

    /// For whichever of its identifiers this device goes by.
    private static func verifiedReceipt(_ data: Data, _ trust: HistoryTrust) async throws(StoreError) -> Receipt {
        let devices: [DeviceIdentifier]
        do {
            devices = try await DeviceIdentifier.candidatesOfThisDevice()
        } catch {
            throw StoreError(.deviceUnidentified, error.description, underlying: error)
        }
        return try receipt(data, trust, for: devices)
    }

    /// The receipt, when it is for one of the devices; for any device when there are none, as where the platform knows none.
    static func receipt(_ data: Data, _ trust: HistoryTrust, for devices: [DeviceIdentifier]) throws(StoreError) -> Receipt {
        var verifier = LocalReceiptVerifier(bundleID: trust.bundleID, trustAnchors: trust.receiptAnchors)
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
        throw StoreError(.receiptInvalid, "The receipt is not accepted: \(failure?.description ?? "")", underlying: failure)
    }
}
