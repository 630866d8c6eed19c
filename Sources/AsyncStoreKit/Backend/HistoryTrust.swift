package import AppReceipt
package import Foundation

/// The values against which a purchase history is verified: the app, the environment, the device, and the trusted
/// certificates.
///
/// A part that isn't known is `nil`. Nothing is accepted for an unknown app. The entitlement cache needs every part.
package struct HistoryTrust: Sendable {
    /// The bundle identifier that every text has to name: that of the app, even in an extension of the app.
    package var bundleID: String?
    /// The bundle identifier of the process, for messages.
    package var processBundleID: String?
    /// The environment in which the app runs. The App Store's build ignores purchases of TestFlight.
    package var environment: ReceiptEnvironment?
    /// `AppStore.deviceVerificationID` of StoreKit 2.
    package var deviceVerificationID: UUID?
    package var receiptAnchors: [ReceiptTrustAnchor]
    package var signatureAnchors: [ReceiptTrustAnchor]

    package init(
        bundleID: String?, processBundleID: String? = nil, environment: ReceiptEnvironment?,
        deviceVerificationID: UUID? = nil, receiptAnchors: [ReceiptTrustAnchor] = [.appStore],
        signatureAnchors: [ReceiptTrustAnchor] = [.appStoreG3]
    ) {
        self.bundleID = bundleID
        self.processBundleID = processBundleID ?? bundleID
        self.environment = environment
        self.deviceVerificationID = deviceVerificationID
        self.receiptAnchors = receiptAnchors
        self.signatureAnchors = signatureAnchors
    }

    /// Creates the trust in Apple's roots, for the app of this process.
    package init(_ app: AppIdentity, deviceVerificationID: UUID? = nil) {
        self.init(
            bundleID: app.bundleID, processBundleID: app.processBundleID, environment: app.environment,
            deviceVerificationID: deviceVerificationID)
    }

    /// Trusts one certificate in DER, or none if the data isn't a certificate.
    package static func anchors(_ certificate: Data) -> [ReceiptTrustAnchor] {
        (try? .certificate(certificate)).map { [$0] } ?? []
    }

    /// Returns the same trust, for an app that is given by name.
    package func given(app bundleID: String?) -> HistoryTrust {
        var trust = self
        trust.bundleID = bundleID ?? trust.bundleID
        return trust
    }
}
