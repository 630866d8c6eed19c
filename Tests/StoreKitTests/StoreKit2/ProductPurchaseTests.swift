import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ProductPurchaseTests {
    private let world = StoreKit2World()

    @Test func `a purchase is verified, unfinished until it is finished, and owned`() async throws {
        let token = UUID()
        let transaction = try await world.buy("pro", [.appAccountToken(token)])
        expectEqual(transaction.productID, "pro")
        expectEqual(transaction.productType, .nonConsumable)
        expectEqual(transaction.appAccountToken, token)
        expectEqual(transaction.price, Decimal(string: "9.99"))
        expectEqual(transaction.currency?.identifier, "USD")
        expectEqual(transaction.reason, .purchase)
        expectEqual(transaction.ownershipType, .purchased)
        expectEqual(transaction.id, transaction.originalID)
        expectEqual(transaction.purchaseDate, world.appStore.now)
        expectEqual(await world.unfinished, ["pro"])
        expectEqual(await world.entitlements, ["pro"])
        await transaction.finish()
        await transaction.finish()
        expectEqual(await world.unfinished, [])
        expectEqual(await world.entitlements, ["pro"])
        expectEqual(Transaction.latest(for: "pro", launch: world.launch)?.unsafePayloadValue, transaction)
    }

    @Test func `a payment that an earlier purchase should answer is paid if there is no earlier purchase`() async throws
    {
        world.appStore.setNextPurchaseOutcome(.restored, for: "coins")
        world.appStore.setNextPurchaseOutcome(.restored, for: "coins")
        let first = try await world.buy("coins")
        let second = try await world.buy("coins")
        expectEqual(second.id, first.id)
        #expect(try await world.buy("coins").id != first.id)
    }

    @Test func `the price includes the quantity`() async throws {
        let transaction = try await world.buy("coins", [.quantity(3)])
        expectEqual(transaction.purchasedQuantity, 3)
        expectEqual(transaction.price, 6)
        await #expect(throws: Product.PurchaseError.invalidQuantity) {
            try await world.product("coins").purchase(with: [.quantity(11)])
        }
    }

    @Test func `concurrent purchases of one product have separate answers`() async throws {
        let product = try await world.product("coins")
        let quantities = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for quantity in 1...10 {
                group.addTask {
                    guard case .success(let result) = try await product.purchase(with: [.quantity(quantity)]) else {
                        return (quantity, 0)
                    }
                    return (quantity, result.unsafePayloadValue.purchasedQuantity)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(quantities.allSatisfy { $0.0 == $0.1 } && quantities.count == 10)
    }

    @Test(
        arguments: [
            (.purchaseNotAllowed, .purchaseNotAllowed), (.storeProductNotAvailable, .productUnavailable),
            (.invalidQuantity, .invalidQuantity), (.ineligibleForOffer, .ineligibleForOffer),
            (.invalidOfferIdentifier, .invalidOfferIdentifier), (.invalidOfferSignature, .invalidOfferSignature),
            (.invalidOfferPrice, .invalidOfferPrice), (.missingOfferParameters, .missingOfferParameters),
        ] as [(SimulatedError, Product.PurchaseError)])
    func `the errors of a purchase`(error: SimulatedError, expected: Product.PurchaseError) async throws {
        world.appStore.setNextPurchaseOutcome(.failed(error))
        await #expect(throws: expected) { try await world.product("pro").purchase(with: []) }
        #expect(expected.localizedDescription.hasSuffix("."))
    }

    @Test(
        arguments: [
            (.unknown, "unknown"), (.notConnectedToInternet, "networkError"),
            (.notAvailableInStorefront, "notAvailableInStorefront"),
            (.notEntitled, "notEntitled"), (.unsupported, "unsupported"),
            (SimulatedError(code: 9, message: "Odd"), "systemError"),
        ] as [(SimulatedError, String)])
    func `the errors of StoreKit`(error: SimulatedError, expected: String) async throws {
        world.appStore.setNextPurchaseOutcome(.failed(error))
        let thrown = try await #require(throws: StoreKitError.self) {
            try await world.product("pro").purchase(with: [])
        }
        #expect("\(thrown)".hasPrefix(expected))
        if case .networkError(let error) = thrown { expectEqual(error.code, .notConnectedToInternet) }
        if case .systemError(let error) = thrown { expectEqual((error as NSError).code, 9) }
    }

    @Test func `an owned product is answered with its existing transaction`() async throws {
        let first = try await world.own("pro")
        world.appStore.advance(by: 3_600)
        let second = try await world.buy("pro")
        expectEqual(second.id, first.id)
        expectEqual(second.purchaseDate, first.purchaseDate)
        expectEqual(world.appStore.allTransactions().count, 1)
    }

    @Test func `an unverified purchase isn't a verified entitlement`() async throws {
        world.appStore.setNextPurchaseOutcome(.unverified)
        let result = try await world.product("pro").purchase(with: [])
        guard case .success(.unverified(let transaction, .invalidSignature)) = result else {
            Issue.record("It verifies: \(result)")
            return
        }
        var unfinished: [VerificationResult<StoreKit.Transaction>] = []
        for await result in Transaction.unfinished(of: world.launch) { unfinished.append(result) }
        #expect(throws: VerificationResult<StoreKit.Transaction>.VerificationError.invalidSignature) {
            try unfinished.first?.payloadValue
        }
        try world.appStore.setSignatureIsValid(true, forTransactionID: "\(transaction.id)")
        expectEqual(try Transaction.latest(for: "pro", launch: world.launch)?.payloadValue.id, transaction.id)
        world.appStore.behavior.transactionsAreUnverified = true
        #expect(throws: (any Error).self) { try Transaction.latest(for: "pro", launch: world.launch)?.payloadValue }
    }

    @Test func `an incomplete promotional offer is an error`() async throws {
        let product = try await world.product("basic")
        for option in Product.PurchaseOption.promotionalOffer("half", compactJWS: "a.b.c") {
            await #expect(throws: Product.PurchaseError.missingOfferParameters) {
                try await product.purchase(with: [option])
            }
        }
    }

    @Test func `a purchase continues in another storefront only if the app agrees`() async throws {
        for wantsIt in [true, false] {
            let world = StoreKit2World(pacing: .manual)
            let product = Product(StoreKit2World.products[1], launch: world.launch)
            let pending = Task.immediate {
                try await product.purchase(with: [.onStorefrontChange { $0.countryCode == "DEU" && wantsIt }])
            }
            world.appStore.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
            // StoreKit asks before it accepts or rejects the payment.
            world.appStore.runUntilIdle()
            if wantsIt {
                expectEqual(try await pending.value.summary, "success pro")
            } else {
                let error = await #expect(throws: StoreKitError.self) { try await pending.value }
                #expect("\(String(describing: error))".contains("notAvailableInStorefront"))
            }
        }
    }
}
