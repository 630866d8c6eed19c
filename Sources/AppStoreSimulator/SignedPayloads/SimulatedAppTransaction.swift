public import Foundation

/// The customer's purchase of the app itself; see ``SimulatedAppStore/appTransaction``.
public struct SimulatedAppTransaction: Sendable, Hashable {
    /// The app's version.
    public var version = "1.0"
    /// The version that the customer got first.
    public var originalVersion = "1.0"
    /// When the customer got the app.
    public var originalPurchaseDate: Date
    /// The platform on which the customer got the app.
    public var originalPlatform = "iOS"
    /// When the App Store took the app back; `nil` while the customer has the app.
    public var revocationDate: Date?

    /// Describes an app that the customer got at a date, on an iPhone, with version 1.0.
    public init(originalPurchaseDate: Date) {
        self.originalPurchaseDate = originalPurchaseDate
    }
}
