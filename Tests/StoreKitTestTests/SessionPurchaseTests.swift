import AppStoreSimulator
import Foundation
import StoreKitTest
import TestHarness
import Testing

@Suite(.bounded, .ownAppStore) struct SessionPurchaseTests {
    private let session: SKTestSession

    init() throws {
        session = try SKTestSession(contentsOf: TestedSession.file)
    }

    @Test func `unknown products are omitted, and can't be bought`() async throws {
        expectEqual(try await Product.products(for: ["pro", "unknown"]).map(\.id), ["pro"])
        let error = await #expect(throws: SKTestError.self) { try await session.buyProduct(identifier: "unknown") }
        expectEqual(error?.code, .invalidProductIdentifier)
    }

    @Test func `a purchase of the app has the properties of StoreKit testing`() async throws {
        let token = UUID()
        let bought = try await TestedSession.bought("coins", options: [.appAccountToken(token), .quantity(3)])
        expectEqual(await TestedSession.unfinished(), ["coins"])
        expectEqual(bought.environment, .xcode)
        expectEqual(bought.originalID, bought.id)
        expectEqual(bought.originalPurchaseDate, bought.purchaseDate)
        expectEqual(bought.storefrontCountryCode, "USA")
        expectEqual(bought.currency?.identifier, "USD")
        expectEqual(bought.price, Decimal(string: "2.97"))
        expectEqual(bought.purchasedQuantity, 3)
        expectEqual(bought.appAccountToken, token)
        expectEqual(bought.reason, .purchase)
        expectEqual(bought.ownershipType, .purchased)
        #expect(bought.offer == nil && !bought.jsonRepresentation.isEmpty)
        await bought.finish()
        expectEqual(await TestedSession.unfinished(), [])
        expectEqual(try session.transaction(of: "coins").identifier, UInt(bought.id))
    }

    @Test func `a purchase of the app isn't announced, and one outside is`() async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        _ = try await TestedSession.bought("pro")
        let outside = try await session.buyProduct(identifier: "club.yearly")
        expectEqual(try await updates.next()?.payloadValue, outside)
        expectEqual(await TestedSession.owned(), ["club.yearly", "pro"])
        expectEqual(await TestedSession.unfinished(), ["club.yearly", "pro"])
    }

    @Test func `a listener that starts later still receives a purchase outside the app`() async throws {
        let outside = try await session.buyProduct(identifier: "pro")
        var updates = Transaction.updates.makeAsyncIterator()
        expectEqual(try await updates.next()?.payloadValue.id, outside.id)
        // The second listener receives only what follows.
        var later = Transaction.updates.makeAsyncIterator()
        let next = try await session.buyProduct(identifier: "coins")
        expectEqual(try await later.next()?.payloadValue.id, next.id)
    }

    @Test func `an owned product is returned as it is`() async throws {
        for product in ["pro", "club.yearly"] {
            let first = try await TestedSession.bought(product)
            expectEqual(try await TestedSession.bought(product).id, first.id)
            expectEqual(try await session.buyProduct(identifier: product).id, first.id)
            expectEqual(try session.transaction(of: product).identifier, UInt(first.id))
        }
    }

    @Test func `a consumable isn't owned, and has an identifier for each purchase`() async throws {
        let first = try await TestedSession.bought("coins")
        let second = try await session.buyProduct(identifier: "coins")
        #expect(first.id != second.id)
        expectEqual(await TestedSession.owned(), [])
        expectEqual(Set(session.allTransactions().map(\.identifier)), [UInt(first.id), UInt(second.id)])
    }

    @Test func `options of a purchase outside the app are applied`() async throws {
        let token = UUID()
        let coins = try await session.buyProduct(
            identifier: "coins", options: [.quantity(2), .appAccountToken(token)])
        expectEqual(coins.purchasedQuantity, 2)
        expectEqual(coins.appAccountToken, token)
        let loyal = try await session.buyProduct(
            identifier: "club.monthly", options: [.promotionalOffer(id: "loyal")])
        expectEqual(loyal.offer?.id, "loyal")
        expectEqual(loyal.offer?.type, .promotional)
        session.clearTransactions()
        let code = try await session.buyProduct(
            identifier: "club.monthly", options: [.codeOffer(referenceName: "spring")])
        expectEqual(code.offer?.type, .code)
        for option in [Product.PurchaseOption.promotionalOffer(id: "x"), .codeOffer(referenceName: "x")] {
            await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
                try await session.buyProduct(identifier: "club.monthly", options: [option])
            }
        }
    }

    @Test func `a subscription that was bought in the past and canceled is born expired`() async throws {
        let date = session.appStore.now.addingTimeInterval(-70 * 86_400)
        let bought = try await session.buyProduct(
            identifier: "club.yearly",
            options: [
                .purchaseDate(
                    date.addingTimeInterval(-365 * 86_400),
                    renewalBehavior: .cancelImmediately)
            ])
        #expect(try #require(bought.expirationDate) < session.appStore.now)
        expectEqual(await TestedSession.owned(), [])
        expectEqual(try await TestedSession.status().state, .expired)
    }

    @Test func `a subscription that is bought now and canceled stays until its end`() async throws {
        try await session.buyProduct(
            identifier: "club.monthly", options: [.purchaseDate(.now, renewalBehavior: .cancelImmediately)])
        expectEqual(await TestedSession.owned(), ["club.monthly"])
        #expect(try await !TestedSession.renewal().willAutoRenew)
        session.appStore.advance(by: .months(1))
        expectEqual(await TestedSession.owned(), [])
    }

    @Test func `a subscription that was bought in the past has its renewals until now`() async throws {
        session.timeRate = .oneRenewalEveryTwoSeconds
        let date = session.appStore.now.addingTimeInterval(-70 * 86_400)
        let bought = try await session.buyProduct(identifier: "club.prints", options: [.purchaseDate(date)])
        #expect(abs(bought.purchaseDate.timeIntervalSince(date)) < 1)
        let all = session.allTransactions()
        expectEqual(all.count, 3)
        expectEqual(Set(all.map(\.originalTransactionIdentifier)), [UInt(bought.id)])
        expectEqual(await TestedSession.owned(), ["club.prints"])
        #expect(try await TestedSession.renewal().willAutoRenew)
        // The next periods have the session's rate.
        try session.forceRenewalOfSubscription(productIdentifier: "club.prints")
        let renewal = try #require(session.allTransactions().max { $0.purchaseDate < $1.purchaseDate })
        expectEqual(renewal.expirationDate?.timeIntervalSince(renewal.purchaseDate), 2)
    }

    @Test func `an issue is the latest renewal's, even after a purchase that was made later`() async throws {
        try await session.buyProduct(identifier: "club.prints")
        try session.expireSubscription(productIdentifier: "club.prints")
        let date = session.appStore.now.addingTimeInterval(-70 * 86_400)
        try await session.buyProduct(identifier: "club.prints", options: [.purchaseDate(date)])
        session.shouldEnterBillingRetryOnRenewal = true
        try session.forceRenewalOfSubscription(productIdentifier: "club.prints")
        let latest = try await TestedSession.status().transaction.payloadValue.id
        expectEqual(session.allTransactions().filter(\.hasPurchaseIssue).map(\.identifier), [UInt(latest)])
    }

    @Test func `the sandbox's Ask to Buy and an offer for a product without renewal are ignored`() async throws {
        let offer = Product.PurchaseOption.promotionalOffer(
            offerID: "none", keyID: "key", nonce: UUID(), signature: Data([1]), timestamp: 1)
        let bought = try await TestedSession.bought("coins", options: [.simulatesAskToBuyInSandbox(true), offer])
        #expect(bought.offer == nil && bought.price == Decimal(string: "0.99"))
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            try await TestedSession.purchase("club.monthly", options: [offer])
        }
    }

    @Test func `the refund of a consumable is announced only until it's finished`() async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        let finished = try await TestedSession.bought("coins")
        let unfinished = try await TestedSession.bought("coins")
        await finished.finish()
        try session.refundTransaction(identifier: UInt(finished.id))
        try session.refundTransaction(identifier: UInt(unfinished.id))
        let announced = try await updates.next()?.payloadValue
        expectEqual(announced?.id, unfinished.id)
        #expect(announced?.revocationDate != nil)
        expectEqual(session.allTransactions().compactMap(\.cancelDate).count, 2)
    }
}
