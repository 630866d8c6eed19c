#if canImport(Darwin)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting

    extension SimulatedLaunch {
        /// The app's way to the App Store: past Apple's StoreKit, which cannot be pointed at a simulated one from here.
        func backend(over engine: StoreEngine) -> any StoreBackend {
            SimulatedBackend(launch: self)
        }
    }

    extension StoreEngine {
        /// What a story is played over, in words.
        var words: String { "the simulated App Store, past this Mac's StoreKit" }
    }
#else
    import AppStoreSimulator
    import AsyncStoreKit

    extension SimulatedLaunch {
        /// The app's way to the App Store: the same adapter as on a phone, over this package's StoreKit.
        func backend(over engine: StoreEngine) -> any StoreBackend {
            switch engine {
            case .storeKit2: StoreKit2Backend(environment: StoreKit2Environment(launch: self))
            case .storeKit1, .automatic: StoreKit1Backend(environment: StoreKit1Environment(launch: self))
            }
        }
    }

    extension StoreEngine {
        /// What a story is played over, in words.
        var words: String {
            switch self {
            case .storeKit2: "StoreKit 2"
            case .storeKit1, .automatic: "StoreKit 1"
            }
        }
    }
#endif
