import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

extension BackendBehavior {
    static let products: [BackendBehavior] = [
        .launching("known identifiers return products, unknown identifiers are listed as invalid") { world, store in
            let response = try await store.products(for: [StoreWorld.pro, StoreWorld.weekly, "unknown"])
            try world.expect(
                response.products.map(\.id), is: [StoreWorld.pro, StoreWorld.weekly], "the products")
            try world.expect(response.invalidProductIDs, is: ["unknown"], "the invalid identifiers")
            try world.expect(response[StoreWorld.pro]?.price, is: 4.99, "the price")
            try world.expect(response[StoreWorld.weekly]?.subscriptionGroupID, is: "magazine", "the group")
            try world.expect(
                response[StoreWorld.weekly]?.subscriptionPeriod, is: StoreSubscriptionPeriod(value: 1, unit: .week),
                "the period")
        },
        .launching("prices follow the storefront") { world, store in
            _ = try await store.products(for: [StoreWorld.pro])
            var catalog = world.appStore.catalog
            catalog.products[1].price = 5.49
            world.appStore.catalog = catalog
            let cached = try await store.products(for: [StoreWorld.pro])
            try world.expect(cached[StoreWorld.pro]?.price, is: 4.99, "the cached price")
            var changes = store.storefrontChanges.makeAsyncIterator()
            world.appStore.storefront = SimulatedStorefront(countryCode: "DEU", id: "143443")
            try world.expect(await changes.next()?.countryCode, is: "DEU", "the change")
            let new = try await store.products(for: [StoreWorld.pro])
            try world.expect(new[StoreWorld.pro]?.price, is: 5.49, "the price in the new storefront")
            try world.expect(store.storefront?.countryCode, is: "DEU", "the storefront")
        },
        BackendBehavior("an unanswered request times out, and the next call sends a new request") { world in
            world.appStore.behavior.productRequestsAreNeverAnswered = true
            let store = world.launch()
            async let refused: Void = world.expectError(.timedOut) {
                _ = try await store.products(for: [StoreWorld.pro])
            }
            try await world.clock.waitForSleepers(1)
            world.clock.advance(by: 30)
            try await refused
            world.appStore.behavior.productRequestsAreNeverAnswered = false
            let response = try await store.products(for: [StoreWorld.pro])
            try world.expect(response.products.count, is: 1, "the products")
        },
        BackendBehavior("a network error is reported as a network error") { world in
            world.appStore.behavior.productRequestError = .notConnectedToInternet
            let store = world.launch()
            try await world.expectError(.networkError) { _ = try await store.products(for: [StoreWorld.pro]) }
        },
        .launching("a missing receipt is an error, and a refresh loads the receipt", requires: [.receipt]) {
            world, store in
            try await world.expectError(.receiptUnavailable) { _ = try store.receipt.data() }
            try await store.receipt.refresh()
            try world.expect(!(try store.receipt.data().isEmpty), "the receipt is empty")
        },
    ]

    static let purchases: [BackendBehavior] = [
        .finishing("a purchase is delivered in the closure, then finished") { world, store in
            var delivered: [StorePurchase] = []
            try await store.purchase(StoreWorld.pro) { purchase in
                delivered.append(purchase)
                let unfinished = await store.unfinishedTransactions
                try world.expect(unfinished.map(\.productID), is: [StoreWorld.pro], "unfinished during the delivery")
            }
            try world.expect(delivered.map(\.productID), is: [StoreWorld.pro], "delivered")
            try world.expect(delivered.first?.transaction.id != nil, "the transaction has no identifier")
        },
        .launching("a purchase without a closure stays unfinished until the caller finishes it, once or twice") {
            world, store in
            let purchase = try world.success(try await store.purchase(StoreWorld.coins))
            try await world.settle(store)
            let unfinished = await store.unfinishedTransactions
            try world.expect(unfinished, is: [purchase.transaction], "unfinished")
            await purchase.finish()
            await purchase.finish()
            try await world.expectFinished(store)
            try await world.expectError(.transactionFinished) { try await store.finish(purchase.transaction) }
        },
        .launching("quantity, user name and account reach the App Store", requires: [.userNames]) { world, store in
            let options = PurchaseOptions(quantity: 3, account: .username("abc"))
            let purchase = try world.success(try await store.purchase(StoreWorld.coins, options: options))
            try world.expect(purchase.quantity, is: 3, "the quantity")
            try world.expect(purchase.account, is: .username("abc"), "the user name")
            await purchase.finish()
            let plain = try world.success(try await store.purchase(StoreWorld.coins))
            try world.expect(plain.account, is: nil, "the account of a purchase without one")
            await plain.finish()
        },
        .finishing("a closed sheet is an outcome, and any other failure is an error") { world, store in
            world.appStore.setNextPurchaseOutcome(.userCancelled)
            try world.expect(try await store.purchase(StoreWorld.coins), is: .userCancelled, "the outcome")
            // A failure has no identifier. A duplicate report with a new object could answer the next equal payment, so
            // wait for it.
            try await world.settle(store)
            world.appStore.setNextPurchaseOutcome(.failed(.purchaseNotAllowed))
            try await world.expectError(.purchaseNotAllowed) { _ = try await store.purchase(StoreWorld.coins) }
            try await world.settle(store)
            world.appStore.setNextPurchaseOutcome(.failed(SimulatedError(code: -1009)))
            try await world.expectError(.networkError) { _ = try await store.purchase(StoreWorld.coins) }
        },
        .launching("the purchase of an unknown product fails, and so does a purchase that isn't allowed") {
            world, store in
            try await world.expectError(.productUnavailable) { _ = try await store.purchase("unknown") }
            try world.expect(try await store.diagnostics().waitingPayments, is: 0, "the waiting payments")
            world.appStore.behavior.canMakePayments = false
            try await world.expectError(.purchaseNotAllowed) { _ = try await store.purchase(StoreWorld.pro) }
            try world.expect(world.appStore.allTransactions().isEmpty, "a product was bought")
        },
        .launching("payments are serial, and each call gets its own purchase") { world, store in
            let product = try await store.products(for: [StoreWorld.coins]).products[0]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for quantity in 1...10 {
                    group.addTask {
                        let purchase = try world.success(
                            try await store.purchase(product, options: .init(quantity: quantity)))
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
