import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ListingFaultTests {
    private let store = SimulatedAppStore.stepped { $0.listingLag = 0 }

    /// Buys these products on another device, one second apart.
    private func buyElsewhere(_ products: String...) throws {
        for product in products {
            store.advance(by: 1)
            try store.buyProduct(productID: product)
        }
        store.runUntilIdle()
    }

    private func products(_ launch: SimulatedLaunch, _ listing: SimulatedListing = .unfinished) -> [String] {
        launch.transactions(listing).map(\.record.productID)
    }

    @Test(arguments: SimulatedListing.allCases)
    func `a list is empty while its switch is set, and the other lists aren't`(listing: SimulatedListing) throws {
        try buyElsewhere("pro")
        let launch = store.launch()
        func set(_ fault: SimulatedListingFault) {
            switch listing {
            case .all: store.behavior.historyListing = fault
            case .unfinished: store.behavior.unfinishedListing = fault
            case .currentEntitlements: store.behavior.entitlementsListing = fault
            }
        }
        set(.empty)
        for other in SimulatedListing.allCases { expectEqual(products(launch, other), other == listing ? [] : ["pro"]) }
        set(.none)
        expectEqual(products(launch, listing), ["pro"])
    }

    @Test func `faults of the next reads of a list are set one by one`() throws {
        try buyElsewhere("coins", "gems")
        let launch = store.launch()
        store.behavior.unfinishedListing = .empty
        store.setNextListingFault(.none, for: .unfinished)
        store.setNextListingFault(.stale(changes: 1), for: .unfinished)
        expectEqual(products(launch, .all), ["gems", "coins"])
        expectEqual(products(launch), ["gems", "coins"])
        expectEqual(products(launch), ["coins"])
        expectEqual(products(launch), [])
        store.setNextListingFault(.empty, for: .unfinished)
        store.resetToDefaultState()
        expectEqual(products(launch), ["gems", "coins"])
    }

    @Test func `an outdated list contains transactions that were finished or refunded since, as they were signed then`()
        throws
    {
        let start = store.now
        try buyElsewhere("coins", "pro", "gems")
        let launch = store.launch()
        let paid = launch.transactions(.unfinished)
        expectEqual(paid.map(\.record.productID), ["gems", "pro", "coins"])
        store.advance(by: 10)
        launch.finish(transaction: paid[2].number)
        store.advance(by: 10)
        try store.refund("pro")
        try buyElsewhere("themes")
        expectEqual(products(launch), ["themes", "gems", "pro"])
        store.setNextListingFault(.stale(changes: 1), for: .unfinished)
        expectEqual(products(launch), ["gems", "pro"])
        store.setNextListingFault(.stale(changes: 2), for: .unfinished)
        let beforeRefund = launch.transactions(.unfinished)
        expectEqual(beforeRefund.map(\.record.productID), ["gems", "pro"])
        #expect(beforeRefund.allSatisfy { $0.record.revocationDate == nil })
        expectEqual(beforeRefund.map(\.text.seal.signedDate), [13, 13].map { start + $0 })
        store.setNextListingFault(.stale(changes: 3), for: .unfinished)
        let beforeFinish = launch.transactions(.unfinished)
        expectEqual(beforeFinish.map(\.record.productID), ["gems", "pro", "coins"])
        expectEqual(beforeFinish.map(\.text.jws), paid.map(\.text.jws))
        store.setNextListingFault(.stale(changes: 100), for: .unfinished)
        expectEqual(products(launch), [])
        expectEqual(launch.transactions(.unfinished).map { $0.record.revocationDate != nil }, [false, false, true])
    }

    @Test func `outdated entitlements contain later refunds, and lack later purchases`() throws {
        try buyElsewhere("pro", "monthly")
        let launch = store.launch()
        try store.refund("pro")
        try buyElsewhere("themes")
        expectEqual(products(launch, .currentEntitlements), ["themes", "monthly"])
        store.setNextListingFault(.stale(changes: 1), for: .currentEntitlements)
        expectEqual(products(launch, .currentEntitlements), ["monthly"])
        store.setNextListingFault(.stale(changes: 2), for: .currentEntitlements)
        let former = launch.transactions(.currentEntitlements)
        expectEqual(former.map(\.record.productID), ["monthly", "pro"])
        #expect(former.allSatisfy { $0.record.revocationDate == nil })
        store.setNextListingFault(.stale(changes: 5), for: .currentEntitlements)
        expectEqual(products(launch, .currentEntitlements), [])
    }

    @Test func `a partial list lacks transactions, and has the others in order`() throws {
        try buyElsewhere("coins", "coins", "gems", "gems", "pro", "themes")
        let launch = store.launch()
        let all = launch.transactions(.unfinished).map(\.number)
        store.behavior.unfinishedListing = .partial
        var lists: Set<[UInt64]> = []
        for _ in 0..<50 {
            let list = launch.transactions(.unfinished).map(\.number)
            #expect(list.count < all.count)
            expectEqual(list, all.filter(list.contains))
            lists.insert(list)
        }
        #expect(lists.count > 10)
    }

    @Test func `a fault applies to a percentage of the reads, which the seed determines`() throws {
        func reads(seed: UInt64) throws -> [Bool] {
            let store = SimulatedAppStore.stepped(seed: seed) { behavior in
                behavior.unfinishedListing = .empty
                behavior.listingFaultPercentage = 30
            }
            try store.buyProduct(productID: "coins")
            let launch = store.launch()
            return (0..<200).map { _ in launch.transactions(.unfinished).isEmpty }
        }
        let empty = try reads(seed: 1)
        #expect((30...90).contains(empty.filter(\.self).count))
        expectEqual(try reads(seed: 1), empty)
        #expect(try reads(seed: 2) != empty)
    }
}
