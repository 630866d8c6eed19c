#if os(macOS)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import AsyncStoreKitUI
    import Combine
    import Foundation

    /// The simulated App Store, the app and their log.
    @MainActor final class DemoWorld: ObservableObject {
        static let productIDs = ["coins", "pro", "club.monthly", "club.yearly"]

        let appStore = SimulatedAppStore(products: [
            .consumable("coins", price: 0.99, name: "100 Coins"),
            .nonConsumable("pro", price: 24.99, name: "Darkroom Pro"),
            .autoRenewable("club.monthly", price: 2.99, period: .month(1), group: "club", name: "Club, monthly"),
            .autoRenewable("club.yearly", price: 29.99, period: .year(1), group: "club", name: "Club, yearly"),
        ])

        @Published private(set) var model: StoreModel
        @Published private(set) var coins = 0
        @Published private(set) var log: [String] = []
        /// The number of changes of the simulated App Store, which isn't observable. A change redraws the controls.
        @Published private(set) var changes = 0
        private var credited: Set<String> = []
        private var listener: Task<Void, Never>?

        init() {
            model = StoreModel(PurchaseStore(backend: SimulatedBackend(appStore)))
            append("The app was launched.")
            listen()
        }

        /// Credits coins once for each purchase, even if the purchase is delivered repeatedly.
        func credit(_ purchase: StorePurchase) {
            guard credited.insert(purchase.deliveryKey).inserted else { return }
            if purchase.productID == "coins" { coins += 100 * purchase.quantity }
            append("Delivered: \(purchase.productID)")
        }

        func report(_ result: Result<PurchaseOutcome, StoreError>) {
            switch result {
            case .success(.success(let purchase)): append("Bought: \(purchase.productID)")
            case .success(.pending(let pending)): append("Waiting for approval: \(pending.productID)")
            case .success(.userCancelled): append("The customer closed the sheet.")
            case .failure(let error): append("Failed: \(error.message)")
            }
        }

        func report(_ result: Result<RestoreOutcome, StoreError>) {
            switch result {
            case .success(.restored(let purchases)) where purchases.isEmpty: append("There is nothing to restore.")
            case .success(.restored(let purchases)): append("Restored: \(purchases.map(\.productID).joined(separator: ", "))")
            case .success(.userCancelled): append("The customer canceled the restore.")
            case .failure(let error): append("Failed: \(error.message)")
            }
        }

        /// Performs an action on the simulated App Store, and logs the action or its error.
        func perform(_ title: String, _ action: (SimulatedAppStore) throws -> Void) {
            do {
                try action(appStore)
                append(title)
            } catch {
                append("\(title): \(error)")
            }
            changes += 1
        }

        /// Ends and relaunches the app.
        func relaunch() {
            model = StoreModel(appStore.relaunch())
            append("The app crashed and was relaunched.")
            listen()
        }

        /// Handles purchases outside the buttons: approvals, renewals, purchases on another device and unfinished
        /// purchases.
        private func listen() {
            listener?.cancel()
            listener = Task { [weak self, store = model.store] in
                for await purchase in store.transactions {
                    self?.credit(purchase)
                    await purchase.finish()
                }
            }
        }

        private func append(_ text: String) {
            log.append("\(appStore.now.formatted(date: .abbreviated, time: .omitted))  \(text)")
        }
    }
#endif
