#if os(macOS) || os(iOS) || os(visionOS)
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// The products of the shop.
    struct ShopView: View {
        @ObservedObject var world: DemoWorld

        var body: some View {
            ScrollView {
                VStack(alignment: .leading, spacing: 20) {
                    PendingApprovals()
                    GroupBox("Products") {
                        VStack(spacing: 8) {
                            PurchaseButton("coins", deliver: { world.credit($0) }, completion: { world.report($0) })
                            PurchaseButton("pro", deliver: { world.credit($0) }, completion: { world.report($0) })
                        }
                    }
                    GroupBox("SubscriptionPicker") {
                        SubscriptionPicker(
                            group: "club", termsOfUse: URL(string: "https://example.com/terms"),
                            privacyPolicy: URL(string: "https://example.com/privacy"), deliver: { world.credit($0) },
                            completion: { world.report($0) }
                        )
                        .padding(8)
                    }
                    GroupBox("A custom paywall") { ClubPaywall().padding(8) }
                }
                .padding()
            }
        }
    }

    /// The customer's purchases.
    struct LibraryView: View {
        @ObservedObject var world: DemoWorld

        var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                Text("\(world.coins) coins").font(.title2)
                EntitledView("pro") {
                    Label("The darkroom is open", systemImage: "camera.filters")
                } paywall: {
                    Label("Darkroom Pro opens the darkroom", systemImage: "lock")
                }
                EntitledView(.club) {
                    Label("Welcome to the club", systemImage: "person.3")
                } paywall: {
                    Label("For members only", systemImage: "lock")
                }
                MembershipStatus()
                EntitlementList()
                Divider()
                ManageSubscriptionsButton(group: "club")
                RefundRequestButton("pro")
                RedeemCodeButton()
                Spacer()
            }
            .padding()
        }
    }

    private struct EntitlementList: View {
        @EnvironmentObject private var model: StoreModel

        var body: some View {
            ForEach(model.entitlements.all) { entitlement in
                VStack(alignment: .leading) {
                    Text(entitlement.productID).font(.headline)
                    Text("\(entitlement.state.description)\(until(entitlement))").font(.caption)
                }
            }
        }

        private func until(_ entitlement: StoreEntitlement) -> String {
            guard let end = entitlement.accessEndDate else { return "" }
            return ", until \(end.formatted(date: .abbreviated, time: .omitted))"
        }
    }
#endif
