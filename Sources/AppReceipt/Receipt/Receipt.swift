public import Foundation

/// A receipt: what the App Store says about an app and everything bought in it.
///
/// One model for an App Store receipt file, for the JSON of Apple's `verifyReceipt` and for the simulator's receipts.
/// It is read once, ordered and indexed by product; every question afterwards takes microseconds, however many rows
/// there are. Copying it is copying a reference.
///
/// Two receipts are equal when they say the same about the app, its purchases and their renewals. How the receipt came,
/// when Apple was asked, what ties it to a device and what this library does not know are not compared, so a PKCS#7
/// file and the JSON of the same history are equal. Reading a receipt proves nothing: see the verifiers for that.
public struct Receipt: Sendable {
    let storage: Storage
    /// By which ``ReceiptEvaluationDate/now`` goes: the device's clock, or that of the store from which the receipt
    /// came.
    package var clock: @Sendable () -> Date = { Date() }

    final class Storage: Sendable {
        let contents: ReceiptContents
        let index: ReceiptIndex

        init(_ contents: ReceiptContents) {
            var contents = contents
            contents.transactions = ReceiptOrder.transactions(contents.transactions)
            contents.renewals = ReceiptOrder.renewals(contents.renewals)
            self.contents = contents
            index = ReceiptIndex(contents)
        }
    }

    /// Orders and indexes `contents`.
    ///
    /// The same transaction of the same product is kept once: the copy that Apple signed last; where that does not
    /// tell, the one that ends last, then the one that was revoked or upgraded.
    ///
    /// A refund reaches every copy of what it refunds: of a purchase without an end, every transaction of the product
    /// with the same ``ReceiptTransaction/originalTransactionID``; of a period, every transaction of the product with
    /// the same ``ReceiptTransaction/webOrderLineItemID``. A restored copy so loses access with the original. If a
    /// later statement about the refunded transaction reverses the refund, its copies count again.
    public init(_ contents: ReceiptContents) {
        storage = Storage(contents)
    }

    /// Everything that the receipt says, with its rows ordered and without repetitions.
    public var contents: ReceiptContents { storage.contents }

    /// The form in which the receipt came.
    public var source: ReceiptSource { storage.contents.source }
    /// The store that issued the receipt; `nil` when it does not say, as the oldest ones do not.
    public var environment: ReceiptEnvironment? { storage.contents.environment }
    /// Whether an organization bought the app in volume.
    public var isVolumePurchase: Bool { storage.contents.isVolumePurchase }
    /// The app's bundle identifier; `nil` when the receipt does not say.
    public var bundleID: String? { storage.contents.bundleID }
    /// `CFBundleVersion` (on a Mac: `CFBundleShortVersionString`) of the app that the receipt is for.
    public var applicationVersion: String? { storage.contents.applicationVersion }
    /// That of the version first bought; in the sandbox always `1.0`.
    public var originalApplicationVersion: String? { storage.contents.originalApplicationVersion }
    /// When the app was first bought.
    public var originalPurchaseDate: Date? { storage.contents.originalPurchaseDate }
    /// When the receipt was made.
    public var creationDate: Date? { storage.contents.creationDate }
    /// When Apple's server answered; only in `verifyReceipt`'s JSON.
    public var requestDate: Date? { storage.contents.requestDate }
    /// When a volume purchase's receipt expires.
    public var expirationDate: Date? { storage.contents.expirationDate }
    /// Every row, newest first.
    public var transactions: [ReceiptTransaction] { storage.contents.transactions }
    /// What Apple plans for the next renewals: from `verifyReceipt`'s JSON or signed renewal information; a PKCS#7 file
    /// has none.
    public var renewals: [ReceiptRenewal] { storage.contents.renewals }
}

extension Receipt: Hashable {
    /// Whether both say the same about the app, its purchases and their renewals.
    public static func == (lhs: Receipt, rhs: Receipt) -> Bool {
        lhs.storage === rhs.storage || lhs.storage.contents == rhs.storage.contents
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.contents)
    }
}

extension Receipt: Codable {
    /// Reads what `encode(to:)` wrote, and indexes it anew.
    public init(from decoder: any Decoder) throws {
        self.init(try ReceiptContents(from: decoder))
    }

    /// Writes the contents; the index is not written.
    public func encode(to encoder: any Encoder) throws {
        try storage.contents.encode(to: encoder)
    }
}
