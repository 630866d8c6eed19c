#if os(tvOS)
    import SwiftUI

    /// An Apple TV has no sheets for subscriptions: customers manage them in the settings.
    struct PurchaseManagement: View {
        var body: some View { Text("Manage your subscriptions in Settings.") }
    }
#elseif canImport(SwiftUI) && !os(watchOS)
    import AsyncStoreKitUI
    import SwiftUI

    /// What customers do with purchases that they have made. The subscription picker has the button that restores.
    struct PurchaseManagement: View {
        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                ManageSubscriptionsButton(group: "club")
                RedeemCodeButton()
            }
        }
    }
#endif
