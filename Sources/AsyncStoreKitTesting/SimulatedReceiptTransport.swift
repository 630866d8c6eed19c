public import AppReceipt
public import AppStoreServer
public import AppStoreSimulator
public import Foundation

/// A transport to a simulated `verifyReceipt`, which responds from the history of a simulated App Store, with grace
/// periods and renewal information, without a network. Import the module `AppStoreServer` for the verifier that takes
/// the transport.
///
/// The host `buy.itunes.apple.com` is the production service, which rejects the simulator's receipts because they are
/// sandbox receipts. Every other host is the sandbox.
public struct SimulatedReceiptTransport: ReceiptTransport {
    private let appStore: SimulatedAppStore

    /// Creates a transport to an App Store.
    public init(_ appStore: SimulatedAppStore) {
        self.appStore = appStore
    }

    /// Returns the response of `SimulatedAppStore.verifyReceipt(_:isProduction:)` immediately.
    /// - Throws: `URLError.notConnectedToInternet` if `SimulatorBehavior.isOffline` is set,
    ///   `VerifyReceiptError.Code.responseTooLarge` beyond the limit.
    public func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse {
        try Task.checkCancellation()
        let response: Data
        do {
            response = try appStore.verifyReceipt(body, isProduction: url.host == "buy.itunes.apple.com")
        } catch {
            throw URLError(.notConnectedToInternet)
        }
        guard response.count <= limit else { throw VerifyReceiptError(.responseTooLarge) }
        return ReceiptTransportResponse(statusCode: 200, body: response)
    }
}

extension SimulatedAppStore {
    /// A transport for `verifyReceipt` that responds from this App Store.
    public var verifyReceiptTransport: SimulatedReceiptTransport {
        SimulatedReceiptTransport(self)
    }
}

extension ReceiptVerifier where Self == LocalReceiptVerifier {
    /// Returns a verifier for receipts of the simulated App Store, which trusts its root certificate and expects its
    /// device.
    ///
    /// The signing key is public, so a verified signature proves nothing. Use the verifier only in tests and previews.
    /// - Parameter bundleID: The bundle identifier of the `SimulatedAppStore`, with the same default.
    public static func simulated(bundleID: ExpectedBundleID = "com.example.app") -> LocalReceiptVerifier {
        LocalReceiptVerifier(
            bundleID: bundleID, environment: nil,
            device: DeviceIdentifier(bytes: SimulatedReceiptIssuer.deviceIdentifier),
            trustAnchors: (try? .certificate(SimulatedReceiptIssuer.rootCertificate)).map { [$0] } ?? [])
    }
}
