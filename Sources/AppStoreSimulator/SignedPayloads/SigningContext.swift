package import Foundation

/// The context of every signed payload: the app, the device and the date.
package struct SigningContext: Sendable, Hashable {
    /// The environment of all signed payloads.
    package static let environment = "Sandbox"

    /// The bundle identifier of the app.
    package var bundleID: String
    /// The identifier of the app's download, the same on all devices of the account.
    package var appTransactionID: String
    /// The identifier of the device, `AppStore.deviceVerificationID` of StoreKit 2.
    package var deviceID: UUID
    /// The salt of the device verification.
    package var nonce: UUID
    /// The date of the signature.
    package var signedDate: Date
    /// Whether the signature is valid.
    package var isVerified: Bool
    /// Whether to sign. Otherwise zeros replace the signature.
    package var signs: Bool
}

/// The customer's download of the app.
package struct SimulatedAppTransaction: Sendable, Hashable {
    /// The app's version.
    package var version = "1.0"
    /// The version of the first download.
    package var originalVersion = "1.0"
    /// The date of the first download.
    package var originalPurchaseDate: Date
    /// The platform of the first download.
    package var originalPlatform = "iOS"
}
