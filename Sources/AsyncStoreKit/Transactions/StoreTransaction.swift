public import Foundation

/// A transaction of the payment queue, as it stood when it was reported.
public struct StoreTransaction: Sendable, Hashable, Identifiable {
    /// The state of a transaction.
    public enum State: Sendable, Hashable, CaseIterable {
        /// With the App Store.
        case purchasing
        /// Paid.
        case purchased
        /// Came to nothing; nothing was paid.
        case failed
        /// Bought before, and given again.
        case restored
        /// Waits for somebody's approval.
        case deferred
    }

    /// The transaction that a restored one gives again.
    public struct Original: Sendable, Hashable {
        /// Its identifier.
        public var transactionID: String?
        /// When it was paid.
        public var date: Date?

        /// Describes an original transaction.
        public init(transactionID: String?, date: Date?) {
            self.transactionID = transactionID
            self.date = date
        }
    }

    /// Tells this entry of the queue from every other.
    public let id: TransactionToken
    /// The state.
    public var state: State
    /// What was bought.
    public var productID: String
    /// How many, 1 to 10.
    public var quantity: Int
    /// The app's name for its user, as given with the payment; `nil` when there is none.
    public var applicationUsername: String?
    /// The promotional offer with which it was bought.
    public var offerID: String?
    /// The App Store's identifier; only when purchased or restored.
    public var transactionID: String?
    /// When it was paid; only when purchased or restored.
    public var date: Date?
    /// What is given again; only when restored, and even then not always.
    public var original: Original?
    /// Why it failed; only when failed.
    public var error: StoreError?
    /// Whether the App Store hosts content for it that has not all come to its end yet.
    public var hasUnfinishedDownloads: Bool
    /// What the App Store hosts for it, and how far its downloads were when this was reported.
    public var downloads: [StoreDownload]

    /// Describes a transaction. Only a ``StoreBackend`` has reason to.
    public init(
        id: TransactionToken, state: State, productID: String, quantity: Int = 1, applicationUsername: String? = nil,
        offerID: String? = nil, transactionID: String? = nil, date: Date? = nil, original: Original? = nil,
        error: StoreError? = nil, hasUnfinishedDownloads: Bool = false, downloads: [StoreDownload] = []
    ) {
        self.id = id
        self.state = state
        self.productID = productID
        self.quantity = quantity
        self.applicationUsername = applicationUsername.flatMap { $0.isEmpty ? nil : $0 }
        self.offerID = offerID
        self.transactionID = transactionID
        self.date = date
        self.original = original
        self.error = error
        self.hasUnfinishedDownloads = hasUnfinishedDownloads || downloads.contains { !$0.state.isOver }
        self.downloads = downloads
    }
}

extension StoreTransaction {
    /// The identifier of the first transaction for this purchase: the original's where there is one, else its own.
    ///
    /// It stays the same when the purchase is reported again, restored, or delivered once more in another launch.
    public var originalTransactionID: String? { original?.transactionID ?? transactionID }

    /// When the purchase was first made: the original's date where there is one, else its own.
    public var originalPurchaseDate: Date? { original?.date ?? date }

    /// The user name as the account token that ``PurchaseOptions/appAccountToken`` sent along.
    public var appAccountToken: UUID? { applicationUsername.flatMap(UUID.init(uuidString:)) }

    /// Whether there is something to unlock for it.
    package var holdsContent: Bool { state == .purchased || state == .restored }
}

extension StoreTransaction {
    /// Takes over how far a download is. False when the transaction has no such download.
    mutating func update(_ download: StoreDownload) -> Bool {
        guard download.id.transaction == id, let place = downloads.firstIndex(where: { $0.id == download.id }) else { return false }
        downloads[place] = download
        hasUnfinishedDownloads = downloads.contains { !$0.state.isOver }
        return true
    }

    /// Whether hosted content is on its way at this moment.
    var isDownloading: Bool {
        downloads.contains { $0.state == .active || $0.state == .paused }
    }
}
