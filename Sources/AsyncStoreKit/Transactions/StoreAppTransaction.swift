public import AppReceipt
public import Foundation

/// The customer's purchase of the app itself: from StoreKit 2's app transaction, or from the receipt.
public struct StoreAppTransaction: Sendable, Hashable {
    /// The app; `nil` if a receipt doesn't say.
    public let bundleID: String?
    /// Where the app was bought.
    public let environment: ReceiptEnvironment?
    /// The version of the app: `CFBundleVersion`, on a Mac `CFBundleShortVersionString`.
    public let appVersion: String?
    /// The version of the app that the customer first got; in the sandbox always `1.0`. If your app used to be
    /// paid, this version shows which customers paid for the app.
    public let originalAppVersion: String?
    /// When the customer got the app first.
    public let originalPurchaseDate: Date?
    /// The platform on which the customer got the app; `nil` in a receipt.
    public let originalPlatform: String?
    /// The identifier of the app's download, the same on all of the customer's devices; `nil` in a receipt.
    public let appTransactionID: String?
    /// The revocation date, as after a refund; `nil` while the customer has the app. Available in iOS 27, macOS 27 and
    /// later.
    public let revocationDate: Date?
    /// Whether an organization got the app, in a volume purchase or with a managed device.
    public let isVolumePurchase: Bool
    /// When Apple signed the text; `nil` if a receipt doesn't say.
    public let signedDate: Date?
    /// The text that Apple signed, for a server; `nil` in a receipt.
    public let signedText: String?

    package init(_ info: SignedAppTransactionInfo, signedText: String) {
        bundleID = info.bundleID
        environment = info.environment
        appVersion = info.applicationVersion
        originalAppVersion = info.originalApplicationVersion
        originalPurchaseDate = info.originalPurchaseDate
        originalPlatform = info.originalPlatform?.rawValue
        appTransactionID = info.appTransactionID
        revocationDate = info.revocationDate
        isVolumePurchase = info.storeType != .consumer || info.originalPlatform == .managed
        signedDate = info.signedDate
        self.signedText = signedText
    }

    package init(_ receipt: Receipt) {
        bundleID = receipt.bundleID
        environment = receipt.environment
        appVersion = receipt.applicationVersion
        originalAppVersion = receipt.originalApplicationVersion
        originalPurchaseDate = receipt.originalPurchaseDate
        originalPlatform = nil
        appTransactionID = nil
        revocationDate = nil
        isVolumePurchase = receipt.isVolumePurchase
        signedDate = receipt.creationDate
        signedText = nil
    }
}

extension StoreAppTransaction: CustomStringConvertible {
    /// The app, its versions, and when and where the customer got it, on one line.
    public var description: String {
        let first = [
            originalAppVersion.map { "version \($0)" }, originalPurchaseDate.map { "on \($0.formatted(.iso8601))" },
            originalPlatform.map { "for \($0)" },
        ].compactMap(\.self)
        let details = [
            appVersion.map { "version \($0)" }, first.isEmpty ? nil : "first got \(first.joined(separator: " "))",
            environment?.description, isVolumePurchase ? "a volume purchase" : nil,
            revocationDate.map { "revoked on \($0.formatted(.iso8601))" },
        ].compactMap(\.self)
        return "\(bundleID ?? "an app"): " + (details.isEmpty ? "no details" : details.joined(separator: ", "))
    }
}
