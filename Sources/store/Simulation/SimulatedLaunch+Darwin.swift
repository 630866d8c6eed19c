#if canImport(Darwin)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting

    extension SimulatedLaunch {
        /// The app's way to the App Store: past Apple's StoreKit, which cannot be pointed at a simulated one from here.
        var backend: any StoreBackend {
            SimulatedBackend(launch: self)
        }
    }
#endif
