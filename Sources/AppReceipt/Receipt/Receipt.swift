public import Foundation

/// A receipt: the App Store's record of an app and its in-app purchases.
///
/// The model is the same for an App Store receipt file, the JSON of Apple's `verifyReceipt`, and the simulator's
/// receipts. The initializer orders the transactions and indexes them by product, so that later queries take
/// microseconds, however many transactions there are. Copies share their storage.
///
/// Two receipts are equal if all of their contents are equal. A PKCS#7 file and the JSON of the same history differ in
/// what only one of them can contain: compare them with ``hasSameHistory(as:)``. Reading a receipt doesn't verify it.
/// To verify a receipt file, use ``LocalReceiptVerifier``.
public struct Receipt: Sendable {
    let storage: Storage
    /// The clock for ``ReceiptEvaluationDate/now``: the device's clock, or the clock of the store that issued the
    /// receipt.
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
    /// Of several copies of a transaction, the receipt keeps the one that Apple signed last. Without signed dates, it
    /// keeps the one that expires last, then the one that was revoked or upgraded.
    ///
    /// A refund applies to all copies of a purchase: to all transactions of the product with the same
    /// ``PurchaseFacts/originalTransactionID``, or, for a subscription period, with the same
    /// ``PurchaseFacts/webOrderLineItemID``. Restored copies therefore lose access with the original. If a later
    /// statement about the refunded transaction reverses the refund, the copies are valid again.
    public init(_ contents: ReceiptContents) {
        storage = Storage(contents)
    }

    /// The contents of the receipt, with ordered transactions and without duplicates.
    public var contents: ReceiptContents { storage.contents }

    /// The source of the receipt.
    public var source: ReceiptSource { storage.contents.source }
    /// The store that issued the receipt; `nil` in old receipts, which don't name it.
    public var environment: ReceiptEnvironment? { storage.contents.environment }
    /// Whether an organization bought the app in volume.
    public var isVolumePurchase: Bool { storage.contents.isVolumePurchase }
    /// The app's bundle identifier; `nil` if the receipt doesn't name it.
    public var bundleID: String? { storage.contents.bundleID }
    /// `CFBundleVersion` (on a Mac: `CFBundleShortVersionString`) of the app that the receipt is for.
    public var applicationVersion: String? { storage.contents.applicationVersion }
    /// The version that the customer bought first; in the sandbox always `1.0`.
    public var originalApplicationVersion: String? { storage.contents.originalApplicationVersion }
    /// When the app was first bought.
    public var originalPurchaseDate: Date? { storage.contents.originalPurchaseDate }
    /// When the receipt was made.
    public var creationDate: Date? { storage.contents.creationDate }
    /// The date of the server's response; only in the JSON of `verifyReceipt`.
    public var requestDate: Date? { storage.contents.requestDate }
    /// When a volume purchase's receipt expires.
    public var expirationDate: Date? { storage.contents.expirationDate }
    /// All transactions, newest first.
    public var transactions: [ReceiptTransaction] { storage.contents.transactions }
    /// The renewal information, from the JSON of `verifyReceipt` or from signed renewal information. PKCS#7 files don't
    /// include it.
    public var renewals: [ReceiptRenewal] { storage.contents.renewals }
}

extension Receipt: Hashable {
    /// Returns whether all contents are equal.
    public static func == (lhs: Receipt, rhs: Receipt) -> Bool {
        lhs.storage === rhs.storage || lhs.storage.contents == rhs.storage.contents
    }

    /// Hashes the contents.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.contents)
    }

    /// Returns whether the app, its purchases and their renewals are the same, whatever the form of the receipt.
    ///
    /// What only one form can contain isn't compared: the source, the request and preorder dates, the age rating, the
    /// device binding, the kinds of products, signed dates, and unknown fields.
    public func hasSameHistory(as other: Receipt) -> Bool {
        storage === other.storage || contents.history == other.contents.history
    }
}

extension Receipt: Codable {
    /// Decodes the contents and creates the index.
    public init(from decoder: any Decoder) throws {
        self.init(try ReceiptContents(from: decoder))
    }

    /// Encodes the contents without the index.
    public func encode(to encoder: any Encoder) throws {
        try storage.contents.encode(to: encoder)
    }
}

extension ReceiptContents {
    /// The contents without what only one form of a receipt can contain.
    fileprivate var history: ReceiptContents {
        var history = self
        history.source = .constructed
        (history.requestDate, history.preorderDate, history.ageRating) = (nil, nil, nil)
        (history.versionExternalIdentifier, history.deviceBinding, history.latestReceipt) = (nil, nil, nil)
        history.unknownFields = [:]
        for place in transactions.indices {
            history.transactions[place].productKind = nil
            history.transactions[place].signedDate = nil
            history.transactions[place].unknownFields = [:]
        }
        for place in renewals.indices { history.renewals[place].signedDate = nil }
        return history
    }
}
