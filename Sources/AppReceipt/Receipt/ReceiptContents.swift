public import Foundation

/// The contents of a receipt before they are ordered and indexed. Use this type to create a ``Receipt``.
public struct ReceiptContents: Hashable, Sendable, Codable {
    /// The store that issued the receipt; `nil` in old receipts, which don't name it.
    public var environment: ReceiptEnvironment?
    /// Whether the app was bought through the Volume Purchase Program.
    public var isVolumePurchase = false
    /// The app's bundle identifier; `nil` if the receipt doesn't name it.
    public var bundleID: String?
    /// `CFBundleVersion` (on a Mac: `CFBundleShortVersionString`) of the app that the receipt is for.
    public var applicationVersion: String?
    /// The version that the customer bought first; in the sandbox always `1.0`.
    public var originalApplicationVersion: String?
    /// When the app was first bought.
    public var originalPurchaseDate: Date?
    /// When the receipt was made.
    public var creationDate: Date?
    /// When a volume purchase's receipt expires.
    public var expirationDate: Date?
    /// The app's identifier in the App Store; `nil` outside production.
    public var appStoreID: Int64?
    /// The identifier of the app's download; `nil` outside production.
    public var downloadID: Int64?
    /// The transactions, in any order. Duplicates are allowed.
    public var transactions: [ReceiptTransaction] = []
    /// The renewal information.
    public var renewals: [ReceiptRenewal] = []

    /// The source of the receipt.
    public var source = ReceiptSource.constructed
    /// The date of the server's response; only in the JSON of `verifyReceipt`.
    public var requestDate: Date?
    /// The date of the app's preorder; only in the JSON of `verifyReceipt`.
    public var preorderDate: Date?
    /// The app's age rating; only in a PKCS#7 receipt.
    public var ageRating: String?
    /// The identifier of the app's revision; only in the JSON of `verifyReceipt`, and `nil` outside production.
    public var versionExternalIdentifier: Int64?
    /// The device binding; only in a PKCS#7 receipt.
    public var deviceBinding: ReceiptDeviceBinding?
    /// The newest receipt file, for the next request; only in the JSON of `verifyReceipt`.
    public var latestReceipt: Data?
    /// The unchanged fields of the application that this library doesn't know, by JSON key or attribute number.
    public var unknownFields: [String: ReceiptValue] = [:]

    /// Creates empty contents.
    public init(bundleID: String? = nil, transactions: [ReceiptTransaction] = [], renewals: [ReceiptRenewal] = []) {
        self.bundleID = bundleID
        self.transactions = transactions
        self.renewals = renewals
    }
}

/// The source of a receipt.
public enum ReceiptSource: String, Hashable, Sendable, Codable {
    /// An App Store receipt file.
    case pkcs7
    /// A response of Apple's `verifyReceipt`.
    case verifyReceipt
    /// Created by the app, a server or a test.
    case constructed
}
