package import Foundation

/// What is signed together with every payload: the app, the device, the date.
package struct SigningContext: Sendable, Hashable {
    /// The app.
    package var bundleID: String
    /// The app's download, the same on all devices of the account.
    package var appTransactionID: String
    /// Whether the payload names the download.
    package var namesAppTransaction = true
    /// The environment.
    package var environment: String
    /// The device, `AppStore.deviceVerificationID` of StoreKit 2.
    package var deviceID: UUID
    /// A salt for the device.
    package var nonce: UUID
    /// When it is signed.
    package var signedDate: Date
    /// Whether the signature checks out.
    package var isVerified: Bool
    /// Whether there is a genuine signature; else zeros stand in its place.
    package var signs: Bool
}
