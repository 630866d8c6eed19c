import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

extension BackendBehavior {
    static let announcements: [BackendBehavior] = [
        .launching("revocations are kept for the first subscriber, and later ones are sent to all subscribers") {
            world, store in
            try await store.purchase(StoreWorld.pro) { _ in }
            try await store.purchase(StoreWorld.news) { _ in }
            try await world.settle(store)
            try world.appStore.refund(StoreWorld.pro)
            try await world.settle(store)
            let first = StreamListener(store.revocations)
            try world.expect(try await world.next(of: first).productIDs, is: [StoreWorld.pro], "the refund")
            let second = StreamListener(store.revocations)
            try world.appStore.revokeFamilySharing(of: StoreWorld.news)
            for listener in [first, second] {
                try world.expect(
                    try await world.next(of: listener).productIDs, is: [StoreWorld.news], "no longer shared")
            }
        },
        .launching("a change of the storefront is sent") { world, store in
            let changes = StreamListener(store.storefrontChanges)
            world.appStore.storefront = .germany
            let storefront = try await world.next(of: changes)
            try world.expect(storefront, is: AppStorefront(countryCode: "DEU", id: "143443"), "the new storefront")
            try world.expect(store.storefront, is: storefront, "the store's storefront")
        },
        BackendBehavior(
            "a transaction continues in another storefront only if the policy agrees", requires: [.storefrontQuestions]
        ) { world in
            // The App Store asks only about transactions that it reported as purchasing.
            guard world.appStore.behavior.reportsPurchasing else { return }
            let store = world.launch()
            let asked = Locked<[String]>([])
            store.setPolicies(
                PaymentQueuePolicies(shouldContinueTransaction: { transaction, storefront in
                    asked.withLock { $0 += [transaction.productID, storefront.countryCode] }
                    return false
                }))
            world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
            let purchase = Task { try await store.purchase(StoreWorld.pro) }
            try await world.untilInFlight(store)
            world.appStore.storefront = .germany
            try await world.expectError(.notAvailableInStorefront) { _ = try await purchase.value }
            try world.expect(asked.withLock { $0 }, is: [StoreWorld.pro, "DEU"], "the policy's questions")
            // Without a policy, every transaction continues.
            store.setPolicies(PaymentQueuePolicies())
            world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
            let another = Task { try await store.purchase(StoreWorld.news) }
            try await world.untilInFlight(store)
            world.appStore.storefront = .unitedStates
            try await world.settle(store)
            try world.expect(
                try await store.diagnostics().inFlight?.productID, is: StoreWorld.news, "the continued payment")
            another.cancel()
            try await world.expectError(.taskCancelled) { _ = try await another.value }
            try world.expect(asked.withLock { $0.count }, is: 2, "the number of values in all questions")
        },
    ]
}

extension SimulatedStorefront {
    fileprivate static let germany = SimulatedStorefront(countryCode: "DEU", id: "143443")
}
