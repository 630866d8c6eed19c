#if canImport(SwiftUI) && !os(watchOS)
    import AsyncStoreKitUI
    import SwiftUI

    /// The products of the scheme's StoreKit configuration file, or of your app in App Store Connect, with everything
    /// that App Review expects where an app sells a subscription. Use the view as the pattern for your own shop.
    ///
    /// The texts of buttons and prices are those of the package, in the customer's language. The texts of the app are
    /// in the folder of each language, such as `de.lproj`.
    struct DeviceShopView: View {
        var body: some View {
            ScrollView {
                VStack(alignment: .leading, spacing: 24) {
                    PendingApprovals()
                    Text("Once").font(.title2.bold())
                    VStack(spacing: 12) {
                        PurchaseButton("coins")
                        PurchaseButton("pro")
                    }
                    SubscriptionPicker(
                        group: "club",
                        termsOfUse: URL(string: "https://www.apple.com/legal/internet-services/itunes/dev/stdeula/"),
                        privacyPolicy: URL(string: "https://example.com/privacy")
                    ) {
                        Text("Join the club").font(.title2.bold())
                        Text("Every filter, and a new one each month.")
                    }
                    PurchaseManagement()
                }
                .padding()
            }
        }
    }
#endif
