public import AppReceipt
public import Foundation

/// A transaction of the payment queue, in the state in which StoreKit reported it.
public struct StoreTransaction: Sendable, Hashable {
    /// The state of a transaction.
    public enum State: Sendable, Hashable, CaseIterable {
        /// The App Store is processing the payment.
        case purchasing
        /// The purchase is paid.
        case purchased
        /// The purchase failed without a payment.
        case failed
        /// An earlier purchase was restored.
        case restored
        /// The purchase waits for approval.
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

    /// The original of a restored transaction.
    package struct Original: Sendable, Equatable {
        package var id: String?
        package var purchaseDate: Date?

        package init(id: String?, purchaseDate: Date?) {
            self.id = id
            self.purchaseDate = purchaseDate
        }
    }

    /// What StoreKit reported about an entry, and the context of the purchase.
    package struct Report: Sendable, Equatable {
        package var state: State
        package var productID: String
        package var quantity: Int
        package var applicationUsername: String?
        package var offerID: String?
        package var id: String?
        package var purchaseDate: Date?
        package var original: Original?
        package var error: StoreError?
        package var signedText: SignedText?
        package var hasUnfinishedDownloads: Bool
        package var context: TransactionContext?
        package var downloads: [StoreDownload]
    }

    /// Identifies the entry of the queue.
    package let token: TransactionToken
    // A transaction is large, is passed on often, and rarely changes.
    private var shared: Shared<Report>
    /// What StoreKit reported, and the context.
    package var report: Report {
        get { shared.value }
        set { shared = Shared(newValue) }
    }
    /// The state.
    public var state: State { shared.value.state }
    /// The product.
    public var productID: String { shared.value.productID }
    /// The quantity, from 1 to 10.
    public var quantity: Int { shared.value.quantity }
    /// The account as StoreKit 1 carries it, in one text; `nil` without an account.
    package var applicationUsername: String? { shared.value.applicationUsername }
    /// The promotional offer of the purchase.
    public var offerID: String? { shared.value.offerID }
    /// The App Store's identifier; only in the states `purchased` and `restored`.
    public var id: String? { shared.value.id }
    /// The date of the payment; only in the states `purchased` and `restored`.
    public var purchaseDate: Date? { shared.value.purchaseDate }
    /// The original transaction; only in the state `restored`, and not always.
    package var original: Original? { shared.value.original }
    /// The error; only in the state `failed`.
    public var error: StoreError? { shared.value.error }
    /// The text that the App Store signed, created when it's read.
    package var signedText: SignedText? { shared.value.signedText }
    /// Whether downloads of hosted content aren't over yet.
    public var hasUnfinishedDownloads: Bool { shared.value.hasUnfinishedDownloads }
    /// The context of the purchase, if the store knows it.
    package var context: TransactionContext? { shared.value.context }
    /// The downloads of hosted content, in the state in which StoreKit reported them.
    public var downloads: [StoreDownload] { shared.value.downloads }

    package init(
        token: TransactionToken, state: State, productID: String, quantity: Int = 1, applicationUsername: String? = nil,
        offerID: String? = nil, id: String? = nil, purchaseDate: Date? = nil, original: Original? = nil,
        error: StoreError? = nil, signedText: SignedText? = nil, hasUnfinishedDownloads: Bool = false,
        downloads: [StoreDownload] = []
    ) {
        self.token = token
        shared = Shared(
            Report(
                state: state, productID: productID, quantity: quantity,
                applicationUsername: applicationUsername.flatMap { $0.isEmpty ? nil : $0 }, offerID: offerID, id: id,
                purchaseDate: purchaseDate, original: original, error: error, signedText: signedText,
                hasUnfinishedDownloads: hasUnfinishedDownloads || downloads.contains { !$0.state.isOver },
                downloads: downloads))
    }
}

/// The signed text of a transaction, made when it's read.
///
/// Two texts of one transaction are equal, even if Apple has signed the transaction twice.
package struct SignedText: Sendable, Equatable {
    private let id: String
    private let makeJWS: @Sendable () -> String
    private let makePayload: @Sendable () -> Data
    private let decoded: Shared<SignedTransactionInfo>?

    package init(id: String, jws: @escaping @Sendable () -> String, payload: @escaping @Sendable () -> Data) {
        self.init(id: id, jws: jws, payload: payload, info: nil)
    }

    /// - Parameter info: The decoded payload, if it's known.
    init(
        id: String, jws: @escaping @Sendable () -> String, payload: @escaping @Sendable () -> Data,
        info: Shared<SignedTransactionInfo>?
    ) {
        (self.id, decoded) = (id, info)
        (makeJWS, makePayload) = (jws, payload)
    }

    /// The JSON Web Signature.
    package var jws: String { makeJWS() }
    /// The JSON that is signed.
    package var payload: Data { makePayload() }
    /// The decoded payload; `nil` if it isn't a transaction.
    var info: Shared<SignedTransactionInfo>? {
        decoded ?? (try? SignedTransactionInfo(payload: payload)).map(Shared.init)
    }

    package static func == (left: SignedText, right: SignedText) -> Bool { left.id == right.id }
}

extension StoreTransaction {
    /// Hashes the identifiers and the state.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(token)
        hasher.combine(id)
        hasher.combine(state)
    }

    /// The transaction as the App Store signed it, a JSON Web Signature, for a server; only over StoreKit 2, and only
    /// in the states `purchased` and `restored`.
    ///
    /// StoreKit has verified the signature. ``signedInfo`` has the decoded content.
    public var jws: String? { signedText?.jws }

    /// The decoded content of ``jws``: price, storefront, offer, reason, and more. `nil` without a ``jws``.
    public var signedInfo: SignedTransactionInfo? { signedText?.info?.value }

    /// The identifier of the first transaction of this purchase: the original's if there is one, otherwise its own.
    ///
    /// All renewals of a subscription share this identifier. To recognize a delivery, use
    /// ``StorePurchase/deliveryKey``.
    public var originalID: String? { original?.id ?? id }

    /// The date of the first transaction of this purchase: the original's date if there is one, otherwise its own.
    public var originalPurchaseDate: Date? { original?.purchaseDate ?? purchaseDate }

    /// The account that was passed with the payment; `nil` if there was none.
    ///
    /// StoreKit 1 carries one text: one that reads as a UUID is a token. A transaction that it restores has the account
    /// of the restore.
    public var account: PurchaseAccount? {
        contextID == nil ? applicationUsername.map(PurchaseAccount.init(applicationUsername:)) : nil
    }

    /// The UUID that the app gave with the payment; `nil` if it gave none, or a user name that isn't a UUID.
    public var appAccountToken: UUID? { account?.appAccountToken }

    /// Whether there is content to deliver.
    package var holdsContent: Bool { state == .purchased || state == .restored }

    /// Identifies the purchase across reports, restores, launches, and engines.
    ///
    /// StoreKit 1 restores a purchase as a new transaction, whose original is the purchase. StoreKit 2 restores the
    /// transaction itself. A renewal also has an original, but is a separate purchase.
    package var deliveryKey: String {
        let id = state == .restored && signedText == nil ? originalID : id
        return id ?? "\(productID)@\(purchaseDate?.timeIntervalSince1970 ?? 0)"
    }

    /// Updates a download. Returns `false` if the transaction doesn't have it.
    mutating func update(_ download: StoreDownload) -> Bool {
        guard download.id.transaction == token, let place = downloads.firstIndex(where: { $0.id == download.id }) else {
            return false
        }
        report.downloads[place] = download
        report.hasUnfinishedDownloads = downloads.contains { !$0.state.isOver }
        return true
    }

    /// Whether hosted content is downloading.
    var isDownloading: Bool {
        downloads.contains { $0.state == .active || $0.state == .paused }
    }
}

/// Identifies an entry of a payment queue while a store observes it.
///
/// Before a StoreKit 1 transaction has an identifier, only its object identifies it. A backend gives each new
/// transaction *object* a token. Later objects have greater tokens.
package struct TransactionToken: Sendable, Hashable {
    /// Identifies the backend of the token.
    package let source: UInt64
    /// Grows with every entry.
    package let serial: UInt64

    /// The token of transactions that aren't in a queue.
    package static let none = TransactionToken(source: 0, serial: 0)

    private static let lastSource = Locked<UInt64>(0)

    package init(source: UInt64, serial: UInt64) {
        self.source = source
        self.serial = serial
    }

    /// Returns the token before the first entry of a queue. No other queue has its tokens.
    package static func ofNewQueue() -> TransactionToken {
        lastSource.withLock { last in
            last &+= 1
            return TransactionToken(source: last, serial: 0)
        }
    }

    /// The token of the entry after this one.
    package var next: TransactionToken { TransactionToken(source: source, serial: serial &+ 1) }

    /// Hashes the part that differs between the tokens of one store.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(serial)
    }
}

extension TransactionToken: Comparable {
    /// Whether one entry was reported before the other.
    package static func < (left: TransactionToken, right: TransactionToken) -> Bool {
        (left.source, left.serial) < (right.source, right.serial)
    }
}

extension StoreTransaction: CustomStringConvertible {
    /// The product and the state on one line, with the App Store's identifier and the date if they're known.
    public var description: String {
        let details = [
            "\(state)", id.map { "transaction \($0)" }, purchaseDate?.formatted(.iso8601), error.map { "\($0.code)" },
        ]
        return "\(productAndQuantity(productID, quantity)): " + details.compactMap(\.self).joined(separator: ", ")
    }
}

/// The product ID, with the quantity unless it's 1.
func productAndQuantity(_ productID: String, _ quantity: Int) -> String {
    quantity == 1 ? productID : "\(quantity) × \(productID)"
}
