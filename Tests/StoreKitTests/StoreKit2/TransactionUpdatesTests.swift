import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct TransactionUpdatesTests {
    let world = StoreKit2World()
    private let month: TimeInterval = 31 * 86_400

    /// Returns the updates until that of `coins`, which are bought on another device as the last update.
    private func updates(
        _ world: StoreKit2World, _ updates: inout StoreKit.Transaction.Transactions.AsyncIterator
    ) async throws -> [UInt64] {
        try world.appStore.buyProduct(productID: "coins")
        var ids: [UInt64] = []
        while let transaction = await updates.next()?.unsafePayloadValue, transaction.productID != "coins" {
            ids.append(transaction.id)
        }
        return ids
    }

    @Test func `unfinished transactions at launch go to the first listener once`() async throws {
        let first = try await world.buy("pro")
        let second = try await world.buy("season")
        let next = world.relaunched()
        var listener = next.updates()
        var late = next.updates()
        expectEqual(try await updates(next, &listener), [second.id, first.id])
        var ids: [UInt64] = []
        while let transaction = await late.next()?.unsafePayloadValue, transaction.productID != "coins" {
            ids.append(transaction.id)
        }
        expectEqual(ids, [])
        expectEqual(await next.unfinished, ["coins", "season", "pro"])
    }

    @Test func `a late listener receives no updates, and the transactions stay unfinished`() async throws {
        try await world.buy("pro")
        let next = world.relaunched()
        next.appStore.advance(by: 0.1)
        var listener = next.updates()
        expectEqual(try await updates(next, &listener), [])
        expectEqual(await next.unfinished, ["coins", "pro"])
    }

    @Test func `updates at launch can be turned off`() async throws {
        world.appStore.behavior.deliversUnfinishedAtLaunch = false
        try await world.buy("pro")
        let next = world.relaunched()
        var listener = next.updates()
        expectEqual(try await updates(next, &listener), [])
    }

    @Test(arguments: [false, true]) func `unobserved renewals arrive at launch, newest first`(repeats: Bool)
        async throws
    {
        world.appStore.behavior.redeliversRenewalsAtLaunch = repeats
        let first = try await world.own("magazine")
        world.appStore.advance(by: 3 * month)
        let next = world.relaunched()
        let renewals = world.appStore.allTransactions().compactMap { $0.transactionID.flatMap { UInt64($0) } }
            .dropFirst().reversed()
        try #require(renewals.count == 3)
        var listener = next.updates()
        let expected = Array(renewals) + (repeats ? [first.id, renewals[renewals.startIndex]] : [])
        expectEqual(try await updates(next, &listener), expected)
        // The renewal was received once and is still unfinished.
        var later = next.relaunched().updates()
        let again = await later.next()?.unsafePayloadValue.productID
        expectEqual(again, "coins")
    }

    @Test func `a refund of a finished transaction arrives at every launch until the transaction is finished again`()
        async throws
    {
        var world = StoreKit2World()
        let transaction = try await world.own("pro")
        try world.appStore.refund("pro")
        for launch in 1...3 {
            world = world.relaunched()
            var listener = world.updates()
            let update = try #require(try await listener.next()?.payloadValue)
            #expect(update.id == transaction.id && update.revocationDate != nil)
            if launch == 3 { await update.finish() }
        }
        world = world.relaunched()
        var listener = world.updates()
        expectEqual(try await updates(world, &listener), [])
    }

    @Test func `renewals, approvals and purchases on other devices arrive as updates`() async throws {
        try await world.own("magazine")
        var listener = world.updates()
        world.appStore.advance(by: month)
        let renewal = try #require(try await listener.next()?.payloadValue)
        #expect(renewal.reason == .renewal && renewal.originalID != renewal.id)
        try world.appStore.buyProduct(productID: "pro")
        expectEqual(await listener.next()?.unsafePayloadValue.productID, "pro")
        try world.appStore.redeemOfferCode("gift", for: "basic")
        let gift = try #require(try await listener.next()?.payloadValue)
        expectEqual(gift.offer?.type, .code)
        expectEqual(gift.offer?.id, "gift")
        expectEqual(gift.offer?.paymentMode, .freeTrial)
        expectEqual(gift.price, 0)
        let reason = "\"basic\" has no offer code \"none\". Declare the product's offer codes with codeOffers:."
        #expect(throws: SimulatorError(.unknownOffer, reason)) {
            try world.appStore.redeemOfferCode("none", for: "basic")
        }
    }

    @Test func `every listener receives updates, even after another listener is released`() async throws {
        var first: StoreKit.Transaction.Transactions.AsyncIterator? = world.updates()
        var second = world.updates()
        try world.appStore.buyProduct(productID: "pro")
        expectEqual(await first?.next()?.unsafePayloadValue.productID, "pro")
        first = nil
        try world.appStore.buyProduct(productID: "coins")
        expectEqual(await second.next()?.unsafePayloadValue.productID, "pro")
        expectEqual(await second.next()?.unsafePayloadValue.productID, "coins")
    }

    @Test(arguments: SimulatorBehavior.DuplicateUpdateTiming.allCases)
    func `the app's own purchase can arrive as an update`(own: SimulatorBehavior.DuplicateUpdateTiming) async throws {
        world.appStore.behavior.duplicateUpdateTiming = own
        var listener = world.updates()
        let pro = try await world.own("pro")
        let magazine = try await world.own("magazine")
        world.appStore.advance(by: 0.5)
        let expected: [UInt64] =
            switch own {
            case .none: []
            case .beforeAnswer, .afterAnswer: [pro.id, magazine.id]
            case .afterSubscriptionIsFinished: [magazine.id]
            }
        expectEqual(try await updates(world, &listener), expected)
    }

    @Test func `an approval comes before it is listed, a refund when it has left the list`() async throws {
        world.appStore.behavior.listingLag = 1
        var listener = world.updates()
        _ = try await world.product("pro").purchase(with: [.simulatesAskToBuyInSandbox(true)])
        try world.appStore.approvePurchase(of: "pro")
        expectEqual(await listener.next()?.unsafePayloadValue.productID, "pro")
        expectEqual(await world.entitlements, [])
        world.appStore.advance(by: 1)
        expectEqual(await world.entitlements, ["pro"])
        try world.appStore.refund("pro")
        expectEqual(await world.entitlements, [])
        expectEqual(await listener.next()?.unsafePayloadValue.revocationDate, world.appStore.now)
    }

    @Test(arguments: [false, true]) func `a purchase in one of Apple's views is finished, and can arrive as an update`(
        sendsUpdate: Bool
    )
        async throws
    {
        var listener = world.updates()
        try world.appStore.purchaseInProductView("pro", sendsUpdate: sendsUpdate)
        expectEqual(try await updates(world, &listener).count, (sendsUpdate ? 1 : 0))
        expectEqual(await world.entitlements, ["pro"])
        expectEqual(await world.unfinished, ["coins"])
        #expect(throws: SimulatorError.self) { try world.appStore.purchaseInProductView("nothing") }
    }

    @Test func `a lapse sends no update`() async throws {
        try await world.own("magazine")
        try world.appStore.disableAutoRenew(of: "magazine")
        var listener = world.updates()
        world.appStore.advance(by: 2 * month)
        expectEqual(try world.status("press").state, .expired)
        expectEqual(try await updates(world, &listener), [])
    }

    @Test func `finished transactions can arrive again at the next launch`() async throws {
        world.appStore.behavior.redeliversFinishedTransactions = true
        let transaction = try await world.own("pro")
        var listener = world.relaunched().updates()
        expectEqual(await listener.next()?.unsafePayloadValue.id, transaction.id)
    }

    @Test func `the same account has the same signed texts on every machine`() async throws {
        var texts: Set<String> = []
        for _ in 0..<2 {
            let world = StoreKit2World()
            try await world.own("pro")
            texts.insert(try #require(Transaction.latest(for: "pro", launch: world.launch)).jwsRepresentation)
        }
        expectEqual(texts.count, 1)
    }

    @Test func `by default StoreKit 2 has the strictest answers, and the lag of lists has a switch`() async throws {
        let world = StoreKit2World(.demanding)
        world.appStore.behavior.listingLag = 1
        var listener = world.updates()
        let transaction = try await world.own("magazine")
        expectEqual(await world.entitlements, [])
        world.appStore.advance(by: 1)
        expectEqual(await world.entitlements, ["magazine"])
        // The app's own purchase also arrives after it was finished.
        expectEqual(await listener.next()?.unsafePayloadValue.id, transaction.id)
        world.appStore.advance(to: try #require(transaction.expirationDate))
        expectEqual(try world.status("press").state, .expired)
        world.appStore.advance(by: 1)
        expectEqual(try world.status("press").state, .subscribed)
    }

    @Test func `updates end with their launch`() async throws {
        var listener = world.updates()
        var late = Transaction.updates(of: world.launch).makeAsyncIterator()
        _ = world.relaunched()
        expectEqual(await listener.next(), nil)
        expectEqual(await late.next(), nil)
        var ended = world.updates()
        expectEqual(await ended.next(), nil)
    }

    @Test func `a finished transaction can be reported again`() async throws {
        let transaction = try await world.own("pro")
        var listener = world.updates()
        let record = try #require(world.appStore.transaction(withID: "\(transaction.id)"))
        world.appStore.redeliver(record.id)
        expectEqual(await listener.next()?.unsafePayloadValue.id, transaction.id)
    }
}
