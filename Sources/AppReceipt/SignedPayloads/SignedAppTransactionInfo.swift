public import Foundation

/// A signed app transaction: the customer's purchase of the app itself (StoreKit's `AppTransaction`).
///
/// `preorderDate`, `originalPlatform`, `versionExternalIdentifier` and the two versions of the app, which you choose,
/// are auxiliary: if one of them can't be read, it is treated as missing and is kept in ``unknownFields``. Any other
/// field that can't be read makes the app transaction malformed.
public struct SignedAppTransactionInfo: Hashable, Sendable, Codable {
    /// The app.
    public let bundleID: String
    /// When the App Store signed the app transaction.
    public let signedDate: Date
    /// The store.
    public let environment: ReceiptEnvironment?
    /// The app's version, `CFBundleVersion` (on a Mac: `CFBundleShortVersionString`).
    public let applicationVersion: String?
    /// The version of the app that the customer bought first; in the sandbox always `1.0`.
    public let originalApplicationVersion: String?
    /// When the customer bought the app.
    public let originalPurchaseDate: Date?
    /// When the customer preordered the app.
    public let preorderDate: Date?
    /// The platform on which the customer bought the app.
    public let originalPlatform: Platform?
    /// The identifier of the app's download, which is the same on all of a customer's devices.
    public let appTransactionID: String?
    /// The app's identifier in the App Store; `nil` outside production.
    public let appStoreID: Int64?
    /// The revision of the app in the App Store; `nil` outside production.
    public let versionExternalIdentifier: Int64?
    /// The store in which the customer got the app. A payload without the field is from the App Store for consumers.
    public let storeType: StoreType
    /// The revocation date of the app; `nil` while the customer has the app.
    public let revocationDate: Date?
    /// The device verification data; only in app transactions from StoreKit.
    public let deviceVerification: SignedDeviceVerification?
    /// The unchanged fields that this library doesn't know, and auxiliary fields that it can't read.
    public let unknownFields: [String: ReceiptValue]

    /// The platforms of a purchase, an open set.
    public struct Platform: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a platform from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// iPhone, iPad and Apple Watch.
        public static let iOS = Platform(rawValue: "iOS")
        /// Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")
        /// An organization that manages the device.
        public static let managed = Platform(rawValue: "MANAGED")
    }

    /// The stores in which apps are distributed, an open set (`storeType`).
    public struct StoreType: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a store from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// The App Store for consumers.
        public static let consumer = StoreType(rawValue: "CONSUMER")
        /// The store for educational institutions.
        public static let education = StoreType(rawValue: "EDUCATION")
        /// The store for businesses.
        public static let enterprise = StoreType(rawValue: "ENTERPRISE")
    }

    /// Hashes the bundle identifier and the signed date.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bundleID)
        hasher.combine(signedDate)
    }

    /// Returns when the App Store signed the payload: `receiptCreationDate`, as Apple documents, or a later
    /// `signedDate`, the name in all other payloads.
    static func signedDate(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) -> Date {
        let creationDate = try fields.requiredDate("receiptCreationDate")
        return max(creationDate, try fields.date("signedDate") ?? creationDate)
    }

    init(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        bundleID = try fields.requiredString("bundleId")
        signedDate = try Self.signedDate(&fields)
        environment = try fields.environment("receiptType")
        originalPurchaseDate = try fields.date("originalPurchaseDate")
        appTransactionID = try fields.string("appTransactionId")
        appStoreID = try fields.integer("appAppleId")
        storeType = try fields.string("storeType").map(StoreType.init) ?? .consumer
        revocationDate = try fields.date("appRevocationDate")
        deviceVerification = try SignedDeviceVerification.read(&fields)
        // The following fields don't affect access.
        fields.keepsUnreadable = true
        applicationVersion = try fields.string("applicationVersion")
        originalApplicationVersion = try fields.string("originalApplicationVersion")
        preorderDate = try fields.date("preorderDate")
        originalPlatform = try fields.string("originalPlatform").map(Platform.init)
        versionExternalIdentifier = try fields.integer("versionExternalIdentifier")
        unknownFields = try fields.unread()
    }
}
