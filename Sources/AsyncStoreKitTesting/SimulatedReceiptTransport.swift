public import AppReceipt
public import AppStoreSimulator
public import Foundation

/// The way to a simulated `verifyReceipt`: it answers from the history of a simulated App Store, with grace periods and renewal
/// information, and no network.
///
/// The address decides which service is asked: the host `buy.itunes.apple.com` is production, which does not know the simulator's
/// receipts, as they are those of the sandbox; every other one is the sandbox.
public struct SimulatedReceiptTransport: ReceiptTransport {
    private let appStore: SimulatedAppStore

    /// A transport to the App Store from which the app buys.
    public init(_ appStore: SimulatedAppStore) {
        self.appStore = appStore
    }

    /// Answers at once, with what `SimulatedAppStore.verifyReceipt(_:isProduction:)` returns.
    /// - Throws: `URLError.notConnectedToInternet` when `SimulatorBehavior.isOffline` is set,
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
    /// A transport for `verifyReceipt` that answers from this App Store.
    public var verifyReceiptTransport: SimulatedReceiptTransport {
        SimulatedReceiptTransport(self)
    }
}

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
