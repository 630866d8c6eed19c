#if os(macOS) || os(iOS) || os(visionOS)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import AsyncStoreKitUI
    import Combine
    import Foundation

    /// The simulated App Store, the app over it, and a log of both.
    @MainActor final class DemoWorld: ObservableObject {
        static let productIDs = ["coins", "pro", "club.monthly", "club.yearly"]

        // The storefront is one that sells yearly subscriptions with monthly payments.
        let appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(
                products: [
                    .consumable("coins", price: 0.99, name: "100 Coins"),
                    .nonConsumable("pro", price: 24.99, name: "Darkroom Pro"),
                    .autoRenewable(
                        "club.monthly", price: 4.99, period: .month(1), group: "club", name: "Club, Monthly",
                        introductoryOffer: .freeTrial(.week(1))),
                    .autoRenewable(
                        "club.yearly", price: 39.99, period: .year(1), group: "club", name: "Club, Yearly",
                        introductoryOffer: .freeTrial(.week(1)), monthlyPlan: .monthly(3.99)),
                ],
                storefront: SimulatedStorefront(countryCode: "GBR") ?? .unitedStates, localeIdentifier: "en_GB"))

        @Published private(set) var model: StoreModel
        @Published private(set) var coins = 0
        @Published private(set) var log: [String] = []
        /// The number of changes to the simulated App Store, which isn't observable: its controls are updated with this
        /// value.
        @Published private(set) var changes = 0
        private var credited: Set<String> = []
        private var listener: Task<Void, Never>?

        init() {
            model = StoreModel(PurchaseStore(backend: SimulatedBackend(appStore)))
            append("The app was launched.")
            listen()
        }

        /// Credits coins once for each purchase, however often the purchase is delivered.
        func credit(_ purchase: StorePurchase) {
            guard credited.insert(purchase.deliveryKey).inserted else { return }
            if purchase.productID == "coins" { coins += 100 * purchase.quantity }
            append("Delivered: \(purchase.productID)")
        }

        func report(_ result: Result<PurchaseOutcome, StoreError>) {
            switch result {
            case .success(.success(let purchase)): append("Purchased: \(purchase.productID)")
            case .success(.pending(let pending)): append("Waiting for approval: \(pending.productID)")
            case .success(.userCancelled): append("The customer closed the sheet.")
            case .failure(let error): append("Failed: \(error.message)")
            }
        }

        /// Makes something happen in the simulated App Store.
        func play(_ event: String, _ action: (SimulatedAppStore) throws -> Void) {
            do {
                try action(appStore)
                append(event)
            } catch {
                append("\(event): \(error)")
            }
            changes += 1
        }

        /// Ends the app, whatever it's doing, and launches it again.
        func relaunch() {
            model = StoreModel(appStore.relaunch())
            append("The app has crashed, and was launched again.")
            listen()
        }

        /// Delivers purchases that no button asked for: approvals, renewals, purchases on another device, and what an
        /// earlier launch left unfinished.
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
