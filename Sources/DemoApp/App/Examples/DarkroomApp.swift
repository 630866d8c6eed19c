#if canImport(SwiftUI)
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// An app as its developer writes it: the pages of AsyncStoreKitUI quote it.
    struct DarkroomApp: App {
        @StateObject private var model: StoreModel

        init() {
            let store = PurchaseStore()
            store.setDelivery { request in
                for purchase in request.purchases { await Library.shared.add(purchase) }
                return .accepted
            }
            _model = StateObject(wrappedValue: StoreModel(store))
        }

        var body: some Scene {
            WindowGroup {
                DarkroomView()
                    .storeModel(model, loading: ["coins", "pro", "club.monthly", "club.yearly"])
                    .purchaseErrorAlert(model)
            }
        }
    }

    extension AccessLevel {
        static let club = AccessLevel("club", groups: ["club"])
    }

    /// The app's own record of what the customer bought.
    actor Library {
        static let shared = Library()
        private var keys: Set<String> = []
        private(set) var coins = 0

        /// Adds a purchase once, however often it's delivered.
        func add(_ purchase: StorePurchase) {
            guard keys.insert(purchase.deliveryKey).inserted, purchase.productID == "coins" else { return }
            coins += 100 * purchase.quantity
        }
    }

    struct DarkroomView: View {
        @State private var isShopPresented = false

        var body: some View {
            VStack(spacing: 16) {
                EntitledView("pro") {
                    Label("The darkroom is open", systemImage: "camera.filters")
                } paywall: {
                    PurchaseButton("pro")
                } placeholder: {
                    ProgressView()
                }
                EntitledView(.club) {
                    MembershipStatus()
                } paywall: {
                    Button("Join the club") { isShopPresented = true }
                }
                PendingApprovals()
            }
            .sheet(isPresented: $isShopPresented) { ClubShop() }
        }
    }
#endif
