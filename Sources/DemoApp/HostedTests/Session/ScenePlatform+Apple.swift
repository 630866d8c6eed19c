#if canImport(StoreKitTest) && !SWIFT_PACKAGE
    import AsyncStoreKit
    import Foundation
    import StoreKitTest

    extension ScenePlatform {
        /// Whether no other tests use StoreKit in this process.
        static let isAlone = true

        static func store(_ engine: StoreEngine, over session: SKTestSession) -> PurchaseStore {
            PurchaseStore(configuration: StoreConfiguration(engine: engine))
        }

        /// Waits for the events of a step, and for a second without a late one. A device without a cache repeats its
        /// first read, with pauses, so the limit for each event is 20 seconds.
        static func settle(
            _ store: PurchaseStore, _ recorder: SceneRecorder, expecting events: [SceneEvent],
            over engine: StoreEngine
        ) async throws {
            try await recorder.wait(for: events, within: 20, quiet: 1)
        }

        /// Opens the address with which Apple documents the test of a purchase that begins in the App Store.
        static func promote(_ productID: String, in session: SKTestSession) async throws {
            let bundleID = Bundle.main.bundleIdentifier ?? ""
            let address =
                "itms-services://?action=purchaseIntent&bundleId=\(bundleID)&productIdentifier=\(productID)"
            guard let url = URL(string: address), await open(url) else {
                throw SceneControlUnavailable(description: "The system doesn't open \(address).")
            }
        }
    }
#endif
