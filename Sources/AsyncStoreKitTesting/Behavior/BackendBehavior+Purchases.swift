import AppStoreSimulator
import AsyncStoreKit
import Foundation

extension BackendBehavior {
    static let products: [BackendBehavior] = [
        BackendBehavior("unknown identifiers are listed, known ones described") { world in
            let store = world.launch()
            let response = try await store.products(for: [BehaviorWorld.pro, BehaviorWorld.weekly, "unknown"])
            try world.expect(response.products.map(\.id), is: [BehaviorWorld.pro, BehaviorWorld.weekly], "the products")
            try world.expect(response.invalidProductIDs, is: ["unknown"], "the invalid identifiers")
            try world.expect(response[BehaviorWorld.pro]?.price, is: 4.99, "the price")
            try world.expect(response[BehaviorWorld.weekly]?.subscriptionGroupID, is: "magazine", "the group")
            try world.expect(
                response[BehaviorWorld.weekly]?.subscriptionPeriod, is: StoreSubscriptionPeriod(value: 1, unit: .week), "the period")
        },
        BackendBehavior("prices follow the storefront") { world in
            let store = world.launch()
            _ = try await store.products(for: [BehaviorWorld.pro])
            var catalog = world.appStore.catalog
            catalog.products[1].price = 5.49
            world.appStore.catalog = catalog
            let remembered = try await store.products(for: [BehaviorWorld.pro])
            try world.expect(remembered[BehaviorWorld.pro]?.price, is: 4.99, "the remembered price")
            world.appStore.storefront = SimulatedStorefront(countryCode: "DEU", id: "143443")
            try await world.settle(store)
            let new = try await store.products(for: [BehaviorWorld.pro])
            try world.expect(new[BehaviorWorld.pro]?.price, is: 5.49, "the price after the move")
            try world.expect(store.storefront?.countryCode, is: "DEU", "the storefront")
        },
        BackendBehavior("a request that hangs ends in a time-out, and the next one starts anew") { world in
            world.appStore.behavior.productRequestsAreNeverAnswered = true
            let store = world.launch()
            async let refused: Void = world.expectError(.timedOut) { _ = try await store.products(for: [BehaviorWorld.pro]) }
            try await world.clock.waitForSleepers(1)
            world.clock.advance(by: 30)
            try await refused
            world.appStore.behavior.productRequestsAreNeverAnswered = false
            let response = try await store.products(for: [BehaviorWorld.pro])
            try world.expect(response.products.count, is: 1, "the products")
        },
        BackendBehavior("the network's error keeps its meaning") { world in
            world.appStore.behavior.productRequestError = .notConnectedToInternet
            let store = world.launch()
            try await world.expectError(.networkError) { _ = try await store.products(for: [BehaviorWorld.pro]) }
        },
        BackendBehavior("a receipt is missing until there is one, and a refresh brings one", requires: [.receipt]) { world in
            let store = world.launch()
            try await world.expectError(.receiptUnavailable) { _ = try store.receiptData() }
            try await store.refreshReceipt()
            try world.expect(!(try store.receiptData().isEmpty), "the receipt is empty")
        },
    ]

    static let purchases: [BackendBehavior] = [
        BackendBehavior("a purchase is delivered in the closure, then finished") { world in
            let store = world.launch()
            var delivered: [StorePurchase] = []
            try await store.purchase(BehaviorWorld.pro) { purchase in
                delivered.append(purchase)
                let unfinished = await store.unfinishedTransactions
                try world.expect(unfinished.map(\.productID), is: [BehaviorWorld.pro], "unfinished during the delivery")
            }
            try world.expect(delivered.map(\.productID), is: [BehaviorWorld.pro], "delivered")
            try world.expect(delivered.first?.transaction.id != nil, "there is no identifier")
            try await world.expectFinished(store)
        },
        BackendBehavior("a purchase by hand stays unfinished until its caller finishes it, twice without harm") { world in
            let store = world.launch()
            let purchase = try world.success(try await store.purchase(BehaviorWorld.coins))
            try await world.settle(store)
            let unfinished = await store.unfinishedTransactions
            try world.expect(unfinished, is: [purchase.transaction], "unfinished")
            await purchase.finish()
            await purchase.finish()
            try await world.expectFinished(store)
            try await world.expectError(.transactionFinished) { try await store.finish(purchase.transaction) }
        },
        BackendBehavior("quantity, user name and account reach the App Store", requires: [.userNames]) { world in
            let store = world.launch()
            let options = PurchaseOptions(quantity: 3, account: .username("abc"))
            let purchase = try world.success(try await store.purchase(BehaviorWorld.coins, options: options))
            try world.expect(purchase.quantity, is: 3, "the quantity")
            try world.expect(purchase.account, is: .username("abc"), "the user name")
            await purchase.finish()
            let plain = try world.success(try await store.purchase(BehaviorWorld.coins))
            try world.expect(plain.account, is: nil, "the user name when there is none")
            await plain.finish()
        },
        BackendBehavior("a closed sheet is an outcome, any other failure an error") { world in
            let store = world.launch()
            world.appStore.setNextPurchaseOutcome(.userCancelled)
            try world.expect(try await store.purchase(BehaviorWorld.coins), is: .userCancelled, "the outcome")
            // A failure has no identifier: repeated with a fresh object while the next equal payment is under way, it could be
            // that one's.
            try await world.settle(store)
            world.appStore.setNextPurchaseOutcome(.failed(.paymentNotAllowed))
            try await world.expectError(.purchaseNotAllowed) { _ = try await store.purchase(BehaviorWorld.coins) }
            try await world.settle(store)
            world.appStore.setNextPurchaseOutcome(.failed(SimulatedError(code: -1009)))
            try await world.expectError(.networkError) { _ = try await store.purchase(BehaviorWorld.coins) }
            try await world.expectFinished(store)
        },
        BackendBehavior("an unknown product is named, and nothing is bought") { world in
            let store = world.launch()
            try await world.expectError(.productUnavailable) { _ = try await store.purchase("unknown") }
            try world.expect(try await store.diagnostics.waitingPayments, is: 0, "the places in line")
            world.appStore.behavior.canMakePayments = false
            try await world.expectError(.purchaseNotAllowed) { _ = try await store.purchase(BehaviorWorld.pro) }
            try world.expect(world.appStore.allTransactions().isEmpty, "something was bought")
        },
        BackendBehavior("payments take their turns, and each call gets its own") { world in
            let store = world.launch()
            let product = try await store.products(for: [BehaviorWorld.coins]).products[0]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for quantity in 1...10 {
                    group.addTask {
                        let purchase = try world.success(try await store.purchase(product, options: .init(quantity: quantity)))
                        try world.expect(purchase.quantity, is: quantity, "the quantity")
                        await purchase.finish()
                    }
                }
                try await group.waitForAll()
            }
            try await world.expectFinished(store)
            try world.expect(world.appStore.allTransactions().count, is: 10, "bought")
        },
    ]
}
