public import Foundation

/// Everything a receipt of the simulated App Store says, before it is signed.
public struct SimulatedReceipt: Sendable, Hashable {
    /// The store that issued the receipt.
    public var environment: Environment
    /// The app's number in the App Store.
    public var appStoreID: Int64?
    /// The app's bundle identifier.
    public var bundleID: String
    /// The app's version: `CFBundleVersion` on iOS, `CFBundleShortVersionString` on macOS.
    public var appVersion: String
    /// The version that was bought first.
    public var originalAppVersion: String
    /// When the app was bought first.
    public var originalPurchaseDate: Date?
    /// When the receipt was made.
    public var creationDate: Date
    /// When the receipt of a volume purchase ends.
    public var expirationDate: Date?
    /// Such as `4+`.
    public var ageRating: String?
    /// The number of the app's download.
    public var downloadID: Int64?
    /// The bytes of the device's identifier: the vendor identifier's sixteen, or on a Mac the network address's six.
    public var deviceIdentifier: [UInt8]
    /// The salt of the device hash.
    public var opaqueValue: [UInt8]
    /// The transactions, in the order in which the receipt lists them.
    public var transactions: [SimulatedReceiptTransaction]
    /// Further attributes by number, with the octets of their values.
    public var additionalAttributes: [Int64: [UInt8]]

    /// Makes a receipt without transactions, for a device with an identifier of zeros.
    public init(bundleID: String, appVersion: String = "1", creationDate: Date, environment: Environment = .production) {
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

    /// The stores a receipt can come from, by the words receipts use.
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
