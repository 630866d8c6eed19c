import AppStoreSimulator
import AsyncStoreKit

extension BackendBehavior {
    static let announcements: [BackendBehavior] = [
        BackendBehavior("revocations are kept for the first consumer, and then told to all") { world in
            let store = world.launch()
            try await store.purchase(BehaviorWorld.pro) { _ in }
            try await store.purchase(BehaviorWorld.news) { _ in }
            try await world.settle(store)
            try world.appStore.refund(BehaviorWorld.pro)
            try await world.settle(store)
            let first = StreamListener(store.revocations)
            try world.expect(try await world.next(of: first).productIDs, is: [BehaviorWorld.pro], "the refund")
            let second = StreamListener(store.revocations)
            try world.appStore.revokeFamilySharing(of: BehaviorWorld.news)
            for listener in [first, second] {
                try world.expect(try await world.next(of: listener).productIDs, is: [BehaviorWorld.news], "no longer shared")
            }
        },
        BackendBehavior("a move to another storefront is told") { world in
            let store = world.launch()
            let changes = StreamListener(store.storefrontChanges)
            world.appStore.storefront = .somewhereElse
            let storefront = try await world.next(of: changes)
            try world.expect(storefront, is: AppStorefront(countryCode: "DEU", id: "143443"), "the new storefront")
            try world.expect(store.storefront, is: storefront, "the storefront that is asked for")
        },
        BackendBehavior("a transaction goes on in another storefront only if the policy says so", requires: [.storefrontQuestions]) {
            world in
            // Without a report that it is purchasing, nobody is asked.
            guard world.appStore.behavior.reportsPurchasing else { return }
            let store = world.launch()
            let asked = Locked<[String]>([])
            store.setPolicies(
                StorePolicies(shouldContinueTransaction: { transaction, storefront in
                    asked.withLock { $0 += [transaction.productID, storefront.countryCode] }
                    return false
                }))
            world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
            let purchase = Task { try await store.purchase(BehaviorWorld.pro) }
            try await world.untilInFlight(store)
            world.appStore.storefront = .somewhereElse
            try await world.expectError(.notAvailableInStorefront) { _ = try await purchase.value }
            try world.expect(asked.withLock { $0 }, is: [BehaviorWorld.pro, "DEU"], "what was asked")
            // Nobody is asked any more, and everything goes on.
            store.setPolicies(StorePolicies())
            world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
            let another = Task { try await store.purchase(BehaviorWorld.news) }
            try await world.untilInFlight(store)
            world.appStore.storefront = .unitedStates
            try await world.settle(store)
            try world.expect(try await store.diagnostics.inFlight?.productID, is: BehaviorWorld.news, "what goes on")
            another.cancel()
            try await world.expectError(.taskCancelled) { _ = try await another.value }
            try world.expect(asked.withLock { $0.count }, is: 2, "what was asked in all")
        },
    ]
}

extension SimulatedStorefront {
    fileprivate static let somewhereElse = SimulatedStorefront(countryCode: "DEU", id: "143443")
}
