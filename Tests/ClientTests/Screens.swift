#if canImport(SwiftUI)
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// Screens as apps write them: loops in tasks of views, deliveries in closures of views.
    struct ShopScreen: View {
        @StateObject private var model: StoreModel
        @State private var credited: [String] = []
        private let store: PurchaseStore

        init(_ store: PurchaseStore) {
            self.store = store
            _model = StateObject(wrappedValue: StoreModel(store))
        }

        var body: some View {
            VStack {
                EntitledView("pro") {
                    Text(verbatim: "Pro")
                } paywall: {
                    PurchaseButton("pro") { purchase in
                        await Task.yield()
                        credited.append(purchase.productID)
                    } completion: { result in
                        if case .failure(let error) = result { credited.append(error.localizedDescription) }
                    }
                }
                PurchaseButton("coins", options: [.quantity(2)])
                SubscriptionPicker(group: "club") { purchase in credited.append(purchase.productID) }
                RestoreButton { purchase in credited.append(purchase.productID) }
                PendingApprovals()
            }
            .storeModel(model, loading: ["pro", "coins"]) { message in message.reason == .billingIssue }
            .purchaseErrorAlert(model)
            .task {
                for await purchase in store.transactions {
                    credited.append(purchase.productID)
                    await purchase.finish()
                }
            }
            .task { await buy() }
            .refreshable { await model.refresh() }
        }

        private func buy() async {
            _ = try? await model.purchase("coins") { purchase in credited.append(purchase.productID) }
            _ = try? await store.purchase("coins") { purchase in credited.append(purchase.productID) }
        }
    }
#endif
