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

    private var metadata = ExcludedFromEquality(Metadata())

    private struct Metadata: Sendable, Codable {
        var source = ReceiptSource.constructed
        var requestDate: Date?
        var preorderDate: Date?
        var ageRating: String?
        var versionExternalIdentifier: Int64?
        var deviceBinding: ReceiptDeviceBinding?
        var latestReceipt: Data?
        var unknownFields: [String: ReceiptValue] = [:]
    }

    /// Creates empty contents.
    public init(bundleID: String? = nil, transactions: [ReceiptTransaction] = [], renewals: [ReceiptRenewal] = []) {
        self.bundleID = bundleID
        self.transactions = transactions
        self.renewals = renewals
    }

    /// The source of the receipt. This and the following properties aren't compared by `==`.
    public var source: ReceiptSource {
        get { metadata.value.source }
        set { metadata.value.source = newValue }
    }

    /// The date of the server's response; only in the JSON of `verifyReceipt`.
    public var requestDate: Date? {
        get { metadata.value.requestDate }
        set { metadata.value.requestDate = newValue }
    }

    /// The date of the app's preorder; only in the JSON of `verifyReceipt`.
    public var preorderDate: Date? {
        get { metadata.value.preorderDate }
        set { metadata.value.preorderDate = newValue }
    }

    /// The app's age rating; only in a PKCS#7 receipt.
    public var ageRating: String? {
        get { metadata.value.ageRating }
        set { metadata.value.ageRating = newValue }
    }

    /// The identifier of the app's revision; only in the JSON of `verifyReceipt`, and `nil` outside production.
    public var versionExternalIdentifier: Int64? {
        get { metadata.value.versionExternalIdentifier }
        set { metadata.value.versionExternalIdentifier = newValue }
    }

    /// The device binding; only in a PKCS#7 receipt.
    public var deviceBinding: ReceiptDeviceBinding? {
        get { metadata.value.deviceBinding }
        set { metadata.value.deviceBinding = newValue }
    }

    /// The newest receipt file, for the next request; only in the JSON of `verifyReceipt`.
    public var latestReceipt: Data? {
        get { metadata.value.latestReceipt }
        set { metadata.value.latestReceipt = newValue }
    }

    /// The unchanged fields of the application that this library doesn't know, by JSON key or attribute number.
    public var unknownFields: [String: ReceiptValue] {
        get { metadata.value.unknownFields }
        set { metadata.value.unknownFields = newValue }
    }
}

/// A value that its owner doesn't compare, because only one kind of receipt can contain it.
struct ExcludedFromEquality<Value: Sendable & Codable>: Hashable, Sendable, Codable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        value = try Value(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }

    static func == (lhs: ExcludedFromEquality, rhs: ExcludedFromEquality) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
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
