public import Foundation

/// The content of a simulated App Store's receipt, before signing.
public struct SimulatedReceipt: Sendable, Hashable {
    /// The store that issued the receipt.
    public var environment: Environment
    /// The app's number in the App Store.
    public var appStoreID: Int64?
    /// The app's bundle identifier.
    public var bundleID: String
    /// The app's version: `CFBundleVersion` on iOS, `CFBundleShortVersionString` on macOS.
    public var appVersion: String
    /// The version of the app that the customer first bought.
    public var originalAppVersion: String
    /// The date on which the customer first bought the app.
    public var originalPurchaseDate: Date?
    /// The creation date of the receipt.
    public var creationDate: Date
    /// The expiration date of a receipt from a volume purchase.
    public var expirationDate: Date?
    /// The age rating, such as `4+`.
    public var ageRating: String?
    /// The number of the app's download.
    public var downloadID: Int64?
    /// The bytes of the device's identifier: sixteen bytes of the vendor identifier, or on a Mac six bytes of the
    /// network address.
    public var deviceIdentifier: [UInt8]
    /// The salt of the device hash.
    public var opaqueValue: [UInt8]
    /// The transactions, in the order of the receipt.
    public var transactions: [SimulatedReceiptTransaction]
    /// Further attributes, as octets by attribute number.
    public var additionalAttributes: [Int64: [UInt8]]

    /// Creates a receipt without transactions, for a device with an identifier of zeros.
    public init(bundleID: String, appVersion: String = "1", creationDate: Date, environment: Environment = .production)
    {
        self.environment = environment
        self.bundleID = bundleID
        self.appVersion = appVersion
        self.originalAppVersion = appVersion
        self.creationDate = creationDate
        deviceIdentifier = SimulatedReceiptIssuer.deviceIdentifier
        opaqueValue = Array(0x10..<0x20)
        transactions = []
        additionalAttributes = [:]
    }

    /// The issuing store of a receipt. Raw values are those of receipts.
    public enum Environment: String, Sendable, Hashable, CaseIterable {
        /// The App Store.
        case production = "Production"
        /// The sandbox, TestFlight included.
        case sandbox = "ProductionSandbox"
        /// The App Store, for a volume purchase.
        case volumePurchase = "ProductionVPP"
        /// Xcode's local testing.
        case xcode = "Xcode"
    }
}
