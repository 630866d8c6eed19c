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
#else
    import AppStoreSimulator
    import AsyncStoreKit

    extension SimulatedLaunch {
        /// The app's way to the App Store: the same adapter as on a phone, over this package's StoreKit.
        var backend: any StoreBackend {
            StoreKit1Backend(environment: StoreKit1Environment(launch: self))
        }
    }
#endif
