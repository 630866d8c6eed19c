#if canImport(StoreKitTest) && !canImport(Darwin)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import StoreKitTest

    extension ScenePlatform {
        static let current = ScenePlatform.simulatedAppStore
        static var systemName: String { get async { "Linux" } }
        /// Whether no other tests use StoreKit in this process.
        static let isAlone = SceneEnvironment.wantedEngine != nil

        /// Creates a store whose clock is that of the session's App Store, so that no step waits for real time.
        static func store(_ engine: StoreEngine, over session: SKTestSession) -> PurchaseStore {
            PurchaseStore(
                configuration: StoreConfiguration(engine: engine, clock: SimulatedClock(session.appStore)))
        }

        static func settle(
            _ store: PurchaseStore, _ recorder: SceneRecorder, expecting events: [SceneEvent],
            over engine: StoreEngine
        ) async throws {
            repeat {
                // Reads for entitlements are repeated after pauses, which pass on the clock of the App Store. StoreKit
                // 2 may still list transactions when the store is idle, and a list has 12 seconds.
                for _ in 0..<12 {
                    try await store.advance(by: 10)
                    if engine == .storeKit2 { _ = await store.entitlements.current }
                }
            } while try await hasReport(missing: events, in: recorder)
        }

        private static func hasReport(missing events: [SceneEvent], in recorder: SceneRecorder) async throws -> Bool {
            guard await !recorder.hasRecorded(events) else { return false }
            return try await recorder.hasReport(within: 20)
        }

        static func promote(_ productID: String, in session: SKTestSession) async throws {
            try session.appStore.promotePurchase(of: productID)
        }
    }
#endif
