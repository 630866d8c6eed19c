public import AppReceipt
import AppStoreSimulator

extension ReceiptVerifier where Self == LocalReceiptVerifier {
    /// Verification of receipts of the simulated App Store: its root is trusted, and its device is taken for this one.
    ///
    /// The key under that root is public, so this proves nothing: only tests and previews may believe it.
    /// - Parameter bundleID: The app, as given to `SimulatedAppStore`; its default here is the default there.
    public static func simulated(bundleID: ExpectedBundleID = "com.example.app") -> LocalReceiptVerifier {
        LocalReceiptVerifier(
            bundleID: bundleID, device: DeviceIdentifier(bytes: SimulatedReceiptIssuer.deviceIdentifier),
            trustAnchors: (try? .certificate(SimulatedReceiptIssuer.rootCertificate)).map { [$0] } ?? [])
    }
}
