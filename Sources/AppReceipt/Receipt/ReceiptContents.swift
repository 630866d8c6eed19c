public import Foundation

/// What a receipt says, before it is ordered and indexed; for building a ``Receipt``.
public struct ReceiptContents: Hashable, Sendable, Codable {
    /// The store that issued the receipt; `nil` when it does not say, as the oldest ones do not.
    public var environment: ReceiptEnvironment?
    /// Whether the app was bought through the Volume Purchase Program.
    public var isVolumePurchase = false
    /// The app's bundle identifier; `nil` when the receipt does not say.
    public var bundleID: String?
    /// `CFBundleVersion` (on a Mac: `CFBundleShortVersionString`) of the app that the receipt is for.
    public var applicationVersion: String?
    /// That of the version first bought; in the sandbox always `1.0`.
    public var originalApplicationVersion: String?
    /// When the app was first bought.
    public var originalPurchaseDate: Date?
    /// When the receipt was made.
    public var creationDate: Date?
    /// When a volume purchase's receipt expires.
    public var expirationDate: Date?
    /// The app's identifier in the App Store; `nil` outside production, where it is 0.
    public var appStoreID: Int64?
    /// Identifies the download of the app; `nil` outside production, where it is 0.
    public var downloadID: Int64?
    /// The rows, in any order and with repetitions.
    public var transactions: [ReceiptTransaction] = []
    /// What Apple plans for the next renewals.
    public var renewals: [ReceiptRenewal] = []

    private var carried = ExcludedFromEquality(Carried())

    private struct Carried: Sendable, Codable {
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

    /// The form in which the receipt came. Not compared by `==`, like all that follows.
    public var source: ReceiptSource {
        get { carried.value.source }
        set { carried.value.source = newValue }
    }

    /// When Apple's server answered; only in `verifyReceipt`'s JSON.
    public var requestDate: Date? {
        get { carried.value.requestDate }
        set { carried.value.requestDate = newValue }
    }

    /// When the app was ordered in advance; only in `verifyReceipt`'s JSON.
    public var preorderDate: Date? {
        get { carried.value.preorderDate }
        set { carried.value.preorderDate = newValue }
    }

    /// The app's age rating; only in a PKCS#7 receipt.
    public var ageRating: String? {
        get { carried.value.ageRating }
        set { carried.value.ageRating = newValue }
    }

    /// Identifies the revision of the app; `nil` outside production, where it is 0; only in `verifyReceipt`'s JSON.
    public var versionExternalIdentifier: Int64? {
        get { carried.value.versionExternalIdentifier }
        set { carried.value.versionExternalIdentifier = newValue }
    }

    /// What ties the receipt to a device; only in a PKCS#7 receipt.
    public var deviceBinding: ReceiptDeviceBinding? {
        get { carried.value.deviceBinding }
        set { carried.value.deviceBinding = newValue }
    }

    /// The newest receipt file, for the next question to Apple; only in `verifyReceipt`'s JSON.
    public var latestReceipt: Data? {
        get { carried.value.latestReceipt }
        set { carried.value.latestReceipt = newValue }
    }

    /// Fields of the application this library does not know, by JSON key or by attribute number, as they came.
    public var unknownFields: [String: ReceiptValue] {
        get { carried.value.unknownFields }
        set { carried.value.unknownFields = newValue }
    }
}

/// A value that takes no part in its owner's equality, because only one kind of receipt can carry it.
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

/// The form in which a receipt came.
public enum ReceiptSource: String, Hashable, Sendable, Codable {
    /// An App Store receipt file.
    case pkcs7
    /// An answer of Apple's `verifyReceipt`.
    case verifyReceipt
    /// Put together by the app, a server or a test.
    case constructed
}
