#if canImport(SwiftUI) && !os(watchOS)
    import AsyncStoreKitUI
    import SwiftUI

    /// A shop over Apple's StoreKit with the checklist, and a shop over a simulated App Store.
    ///
    /// While the app hosts tests, it creates no store: the tests have their own, and a process has one engine.
    @main struct DemoApp: App {
        var body: some Scene {
            WindowGroup {
                if ProcessInfo.processInfo.environment["HOSTS_TESTS"] != nil {
                    Text("This app hosts tests.")
                } else {
                    DemoTabs().onAppear { DemoWindow.bringToFront() }
                }
            }
        }
    }

    private struct DemoTabs: View {
        @StateObject private var shop = DeviceShop()

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

    /// The products of the scheme's StoreKit configuration file, or of your app in App Store Connect.
    private struct DeviceShopView: View {
        var body: some View {
            List {
                ForEach(DeviceShop.productIDs, id: \.self) { PurchaseButton($0) }
                RestoreButton()
            }
        }
    }
#endif
