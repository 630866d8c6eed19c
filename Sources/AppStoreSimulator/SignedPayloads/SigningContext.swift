package import Foundation

/// The context of every signed payload: the app, the device and the date.
package struct SigningContext: Sendable, Hashable {
    /// The app.
    package var bundleID: String
    /// The identifier of the app's download, the same on all devices of the account.
    package var appTransactionID: String
    /// Whether the payload names the download.
    package var namesAppTransaction = true
    package var environment: String
    /// The device, `AppStore.deviceVerificationID` of StoreKit 2.
    package var deviceID: UUID
    /// The salt of the device verification.
    package var nonce: UUID
    package var signedDate: Date
    /// Whether the signature is valid.
    package var isVerified: Bool
    /// Whether to sign. Otherwise zeros replace the signature.
    package var signs: Bool
}
