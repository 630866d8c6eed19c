#if canImport(SwiftUI) && !os(watchOS)
    import AsyncStoreKitUI
    import SwiftUI

    /// A shop over Apple's StoreKit with the checklist, and a shop over a simulated App Store.
    ///
    /// While the app hosts tests, it creates no store: the tests have their own, and a process has one engine.
    @main struct DemoApp: App {
        /// Created at launch, before a view appears, so that the store observes every transaction.
        private let shop: DeviceShop?

        init() {
            shop = ProcessInfo.processInfo.environment["HOSTS_TESTS"] == nil ? DeviceShop() : nil
        }

        var body: some Scene {
            WindowGroup {
                if let shop {
                    DemoTabs(shop: shop).onAppear { DemoWindow.bringToFront() }
                } else {
                    Text("This app hosts tests.")
                }
            }
        }
    }

    private struct DemoTabs: View {
        let shop: DeviceShop

        var body: some View {
            TabView {
                DeviceShopView()
                    .storeModel(shop.model, loading: DeviceShop.productIDs)
                    .purchaseErrorAlert(shop.model)
                    .tabItem { Text("App Store") }
                NavigationView { ChecklistView(shop: shop) }
                    .tabItem { Text("Checklist") }
                SimulatorTab()
                    .tabItem { Text("Simulated App Store") }
            }
        }
    }
#endif
