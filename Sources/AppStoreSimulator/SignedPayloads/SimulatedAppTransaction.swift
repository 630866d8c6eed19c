public import Foundation

/// The customer's purchase of the app itself; see ``SimulatedAppStore/appTransaction``.
public struct SimulatedAppTransaction: Sendable, Hashable {
    /// The app's version.
    public var version = "1.0"
    /// The version that the customer first got.
    public var originalVersion = "1.0"
    /// The date on which the customer first got the app.
    public var originalPurchaseDate: Date
    /// The platform on which the customer got the app.
    public var originalPlatform = "iOS"
    /// The date on which the App Store revoked the app; `nil` while the customer has the app.
    public var revocationDate: Date?

    /// Creates the purchase of version 1.0 on an iPhone, at a date.
    public init(originalPurchaseDate: Date) {
        self.originalPurchaseDate = originalPurchaseDate
    }
}
