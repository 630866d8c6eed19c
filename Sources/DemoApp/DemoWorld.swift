#if os(macOS)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import AsyncStoreKitUI
    import Combine
    import Foundation

    /// The simulated App Store, the app over it, and what both have said.
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
        /// How often the simulated App Store has been changed: it is not observable by itself, and its controls are drawn anew with this.
        @Published private(set) var changes = 0
        private var credited: Set<String> = []
        private var listener: Task<Void, Never>?

        init() {
            model = StoreModel(PurchaseStore(backend: SimulatedBackend(appStore)))
            say("The app is launched.")
            listen()
        }

        /// Coins are credited once for each purchase, however often it is delivered.
        func credit(_ purchase: StorePurchase) {
            guard credited.insert(purchase.deliveryKey).inserted else { return }
            if purchase.productID == "coins" { coins += 100 * purchase.quantity }
            say("Delivered: \(purchase.productID)")
        }

        func report(_ result: Result<PurchaseOutcome, StoreError>) {
            switch result {
            case .success(.success(let purchase)): say("Bought: \(purchase.productID)")
            case .success(.pending(let pending)): say("Waiting for approval: \(pending.productID)")
            case .success(.userCancelled): say("The customer closed the sheet.")
            case .failure(let error): say("Failed: \(error.message)")
            }
        }

        func report(_ result: Result<RestoreOutcome, StoreError>) {
            switch result {
            case .success(.restored(let purchases)) where purchases.isEmpty: say("There is nothing to restore.")
            case .success(.restored(let purchases)): say("Restored: \(purchases.map(\.productID).joined(separator: ", "))")
            case .success(.userCancelled): say("The customer closed the request for the password.")
            case .failure(let error): say("Failed: \(error.message)")
            }
        }

        /// Has something happen in the simulated App Store.
        func play(_ what: String, _ action: (SimulatedAppStore) throws -> Void) {
            do {
                try action(appStore)
                say(what)
            } catch {
                say("\(what): \(error)")
            }
            changes += 1
        }

        /// The app ends, whatever it was doing, and is opened again.
        func relaunch() {
            model = StoreModel(appStore.relaunch())
            say("The app has crashed, and is launched again.")
            listen()
        }

        /// What no button was waiting for: approvals, renewals, purchases on another device, and what an earlier launch left.
        private func listen() {
            listener?.cancel()
            listener = Task { [weak self, store = model.store] in
                for await purchase in store.transactions {
                    self?.credit(purchase)
                    await purchase.finish()
                }
            }
        }

        private func say(_ text: String) {
            log.append("\(appStore.now.formatted(date: .abbreviated, time: .omitted))  \(text)")
        }
    }
#endif
