public import AppReceipt
public import Foundation

/// A transaction of the payment queue, as it stood when it was reported.
public struct StoreTransaction: Sendable, Hashable {
    /// The state of a transaction.
    public enum State: Sendable, Hashable, CaseIterable {
        /// With the App Store.
        case purchasing
        /// Paid.
        case purchased
        /// Failed; nothing was paid.
        case failed
        /// Bought before, and restored.
        case restored
        /// Waits for somebody's approval.
        case deferred

        /// The state in words, as the end of a sentence.
        var progress: String {
            switch self {
            case .purchasing: "still being purchased"
            case .purchased: "paid"
            case .failed: "over, without a payment"
            case .restored: "restored"
            case .deferred: "waiting for an approval"
            }
        }
    }

    /// The transaction that a restored one repeats.
    package struct Original: Sendable, Hashable {
        package var id: String?
        package var purchaseDate: Date?

        package init(id: String?, purchaseDate: Date?) {
            self.id = id
            self.purchaseDate = purchaseDate
        }
    }

    /// Tells this entry of the queue from every other.
    package let token: TransactionToken
    /// The state.
    public package(set) var state: State
    /// What was bought.
    public package(set) var productID: String
    /// How many, 1 to 10.
    public package(set) var quantity: Int
    /// The account as StoreKit 1 carries it, in one text; `nil` when there is none.
    package var applicationUsername: String?
    /// The promotional offer with which it was bought.
    public package(set) var offerID: String?
    /// The App Store's identifier; only when purchased or restored.
    public package(set) var id: String?
    /// When it was paid; only when purchased or restored.
    public package(set) var purchaseDate: Date?
    /// What is restored; only when restored, and even then not always.
    package var original: Original?
    /// Why it failed; only when failed.
    public package(set) var error: StoreError?
    /// The text that the App Store has signed, made when it is asked for.
    package var signedText: SignedText?
    /// Whether the App Store hosts content for it that has not all come to its end yet.
    public package(set) var hasUnfinishedDownloads: Bool
    /// Why the customer bought it, as far as the store knows.
    package var context: TransactionContext?
    /// What the App Store hosts for it, and how far its downloads were when this was reported.
    public package(set) var downloads: [StoreDownload]

    package init(
        token: TransactionToken, state: State, productID: String, quantity: Int = 1, applicationUsername: String? = nil,
        offerID: String? = nil, id: String? = nil, purchaseDate: Date? = nil, original: Original? = nil,
        error: StoreError? = nil, signedText: SignedText? = nil, hasUnfinishedDownloads: Bool = false, downloads: [StoreDownload] = []
    ) {
        self.token = token
        self.state = state
        self.productID = productID
        self.quantity = quantity
        self.applicationUsername = applicationUsername.flatMap { $0.isEmpty ? nil : $0 }
        self.offerID = offerID
        self.id = id
        self.purchaseDate = purchaseDate
        self.original = original
        self.error = error
        self.signedText = signedText
        self.hasUnfinishedDownloads = hasUnfinishedDownloads || downloads.contains { !$0.state.isOver }
        self.downloads = downloads
    }
}

/// The signed text of a transaction, made when it's read.
///
/// Two texts of one transaction are equal, even if Apple has signed the transaction twice.
package struct SignedText: Sendable, Hashable {
    private let id: String
    private let makeJWS: @Sendable () -> String
    private let makePayload: @Sendable () -> Data

    package init(id: String, jws: @escaping @Sendable () -> String, payload: @escaping @Sendable () -> Data) {
        self.id = id
        makeJWS = jws
        makePayload = payload
    }

    /// The JSON Web Signature.
    package var jws: String { makeJWS() }
    /// The JSON that is signed.
    package var payload: Data { makePayload() }

    package static func == (left: SignedText, right: SignedText) -> Bool { left.id == right.id }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension StoreTransaction {
    /// The transaction as the App Store has signed it, a JSON Web Signature, for a server; only over StoreKit 2, and only when
    /// purchased or restored.
    ///
    /// StoreKit has verified it. What it says is ``signedInfo``.
    public var jws: String? { signedText?.jws }

    /// All that the App Store says of the transaction, as far as a field has a name here: price, storefront, offer, reason, and more.
    /// Only where there is a ``jws``. The payload is decoded each time.
    public var signedInfo: SignedTransactionInfo? { signedText.flatMap { try? SignedTransactionInfo(payload: $0.payload) } }

    /// The identifier of the first transaction for this purchase: the original's where there is one, else its own.
    ///
    /// All renewals of a subscription share it. To tell deliveries apart, take ``StorePurchase/deliveryKey``.
    public var originalID: String? { original?.id ?? id }

    /// When the purchase was first made: the original's date where there is one, else its own.
    public var originalPurchaseDate: Date? { original?.purchaseDate ?? purchaseDate }

    /// The account for which it was bought, as given with the payment; `nil` when there is none.
    ///
    /// StoreKit 1 carries one text: one that reads as a UUID is a token.
    public var account: PurchaseAccount? {
        contextID == nil ? applicationUsername.map(PurchaseAccount.init(applicationUsername:)) : nil
    }

    /// The UUID that the app gave with the payment; `nil` if it gave none, or a user name that isn't a UUID.
    public var appAccountToken: UUID? { account?.appAccountToken }

    /// Whether there is something to unlock for it.
    package var holdsContent: Bool { state == .purchased || state == .restored }
}

extension StoreTransaction {
    /// Takes over how far a download is. False when the transaction has no such download.
    mutating func update(_ download: StoreDownload) -> Bool {
        guard download.id.transaction == token, let place = downloads.firstIndex(where: { $0.id == download.id }) else { return false }
        downloads[place] = download
        hasUnfinishedDownloads = downloads.contains { !$0.state.isOver }
        return true
    }

    /// Whether hosted content is on its way at this moment.
    var isDownloading: Bool {
        downloads.contains { $0.state == .active || $0.state == .paused }
    }
}

/// Stands for one entry of a payment queue, as long as a store observes it.
///
/// StoreKit 1 documents nothing by which a report could be told from another before a transaction has an identifier: a
/// token is given to every transaction *object* when it is first seen, and later objects have greater tokens.
package struct TransactionToken: Sendable, Hashable {
    /// Tells the tokens of one backend from those of another.
    package let source: UInt64
    /// Grows with every entry.
    package let serial: UInt64

    /// Of no entry: what is not in a queue goes by it.
    package static let none = TransactionToken(source: 0, serial: 0)

    package init(source: UInt64, serial: UInt64) {
        self.source = source
        self.serial = serial
    }

    /// Hashes the part in which the tokens of one store differ.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(serial)
    }
}

extension TransactionToken: Comparable {
    /// Whether the one entry was seen before the other.
    package static func < (left: TransactionToken, right: TransactionToken) -> Bool {
        (left.source, left.serial) < (right.source, right.serial)
    }
}

extension StoreTransaction: CustomStringConvertible {
    /// The product, the state, and where the App Store's identifier and the date are known, these, on one line.
    public var description: String {
        let details = [
            "\(state)", id.map { "transaction \($0)" }, purchaseDate?.formatted(.iso8601), error.map { "\($0.code)" },
        ]
        return "\(counted(productID, quantity)): " + details.compactMap(\.self).joined(separator: ", ")
    }
}

/// A product, and how often it was bought if that isn't once.
func counted(_ productID: String, _ quantity: Int) -> String {
    quantity == 1 ? productID : "\(quantity) × \(productID)"
}
