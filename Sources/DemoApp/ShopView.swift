#if os(macOS)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import AsyncStoreKitUI
    import SwiftUI

    /// The products for sale.
    struct ShopView: View {
        @ObservedObject var world: DemoWorld

        var body: some View {
            List {
                Section("Coins") {
                    PurchaseButton("coins", deliver: { world.credit($0) }, completion: { world.report($0) })
                }
                Section("One-time purchase") {
                    PurchaseButton("pro", deliver: { world.credit($0) }, completion: { world.report($0) })
                }
                Section("The club") {
                    PurchaseButton("club.monthly", deliver: { world.credit($0) }, completion: { world.report($0) })
                    PurchaseButton("club.yearly", deliver: { world.credit($0) }, completion: { world.report($0) }) {
                        product, progress, entitlement in
                        VStack(alignment: .leading) {
                            PurchaseLabel(product: product, progress: progress, entitlement: entitlement)
                            if case .pending = progress { Text("Waiting for approval").font(.caption) }
                        }
                    }
                }
                RestoreButton(completion: { world.report($0) }) { isRestoring in
                    Text(isRestoring ? "Restoring …" : "Restore purchases")
                }
            }
        }
    }

    /// The customer's coins and entitlements.
    struct LibraryView: View {
        @ObservedObject var world: DemoWorld
        @Environment(\.storeModel) private var model

        var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                Text("\(world.coins) coins").font(.title2)
                EntitledView(anyOf: ["pro"]) {
                    Label("The darkroom is open", systemImage: "camera.filters")
                } paywall: {
                    Label("Darkroom Pro opens the darkroom", systemImage: "lock")
                }
                EntitledView(anyOf: ["club.monthly", "club.yearly"]) {
                    Label("Welcome to the club", systemImage: "person.3")
                } paywall: {
                    Label("For members only", systemImage: "lock")
                }
                if let model { EntitlementList(model: model) }
                Spacer()
            }
            .padding()
        }
    }

    private struct EntitlementList: View {
        @ObservedObject var model: StoreModel

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

    struct ShopPreviews: PreviewProvider {
        static let appStore = SimulatedAppStore(products: [.nonConsumable("pro", price: 24.99), .consumable("coins", price: 0.99)])
        static let model = StoreModel(PurchaseStore(backend: SimulatedBackend(appStore)))

        static var previews: some View {
            List {
                PurchaseButton("pro")
                PurchaseButton("coins")
            }
            .storeModel(model, loading: ["pro", "coins"])
        }
    }
#endif
