import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Random customers. No purchase may have the context of another one, and a purchase that goes through at once has its
/// own.
@Suite(.bounded) struct ContextOracleTests {
    private static let slices: [[UInt64]] = {
        let environment = ProcessInfo.processInfo.environment
        return seedSlices(
            of: "Customers with contexts", seed: environment["CONTEXT_SEED"], count: environment["CONTEXT_CUSTOMERS"],
            usualCount: 40, size: 25)
    }()

    /// The purchases of customers that have a context.
    private struct Counts: Sendable {
        var attached = 0
        var missing = 0
    }

    /// One customer, and the true context of each purchase.
    private struct Customer {
        let seed: UInt64
        let appStore: SimulatedAppStore
        let folder = TemporaryFolder()
        let user = UUID()
        let told = Recorder<(id: String?, context: Int?)>()
        var random: ScheduleGenerator
        var store: PurchaseStore?
        var otherDevice: PurchaseStore?
        /// The contexts, by the App Store's own record of the purchase.
        var truth: [SimulatedTransaction.ID: Int] = [:]
        /// The purchases that nothing held up. Contexts of others can be missing: the store attaches none that it
        /// isn't sure of.
        var direct: Set<SimulatedTransaction.ID> = []
        var requests = 0

        init(seed: UInt64) {
            self.seed = seed
            random = ScheduleGenerator(seed: seed)
            appStore = SimulatedAppStore(catalog: .shop, seed: seed)
        }

        private var records: Set<SimulatedTransaction.ID> { Set(appStore.allTransactions().map(\.id)) }

        mutating func launch() async throws {
            let engine: StoreEngine = random.chance(40) ? .storeKit1 : .storeKit2
            let configuration = StoreConfiguration(deliveryLedger: DeliveryLedger(url: folder.file("Deliveries")))
            let store = PurchaseStore(simulating: appStore, engine: engine, configuration: configuration)
            let patience = Int.random(in: 0...3, using: &random)
            store.setDelivery { [told] request in
                for purchase in request.purchases {
                    told.record((purchase.transaction.id, purchase.context(as: Int.self)))
                }
                // Some launches end before everything is delivered.
                return told.elements.count.isMultiple(of: patience + 1) ? .retryLater(after: 1_000) : .accepted
            }
            self.store = store
            try await store.settled()
        }

        mutating func act() async throws {
            guard let store else { return }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: try await buy(from: store)
            case 4: try appStore.buyProduct(productID: StoreWorld.coins)
            case 5: try await buyOnOtherDevice()
            case 6, 7: try await answer(approving: random.chance(60))
            case 8: appStore.advance(by: Double(Int.random(in: 1...500_000, using: &random)))
            default: try await launch()
            }
            try await self.store?.settled()
        }

        private mutating func buy(from store: PurchaseStore) async throws {
            requests += 1
            var options: PurchaseOptions = [.context(requests)]
            if random.chance(40) { options.appAccountToken = user }
            let outcomes: [SimulatedOutcome?] = [
                nil, .deferred, .deferred, .interrupted, .userCancelled, .failed(.unknown),
            ]
            let outcome = outcomes.randomElement(using: &random) ?? nil
            if let outcome { appStore.setNextPurchaseOutcome(outcome) }
            let before = records
            let product = random.chance(70) ? StoreWorld.coins : StoreWorld.weekly
            _ = try? await store.purchase(product, options: options)
            try await store.settled()
            for id in records.subtracting(before) {
                truth[id] = requests
                if outcome == nil { direct.insert(id) }
            }
        }

        private mutating func buyOnOtherDevice() async throws {
            let device = otherDevice ?? PurchaseStore(simulating: appStore.newDevice())
            otherDevice = device
            var options = PurchaseOptions()
            if random.chance(60) { options.appAccountToken = user }
            _ = try? await device.purchase(StoreWorld.coins, options: options)
        }

        private mutating func answer(approving: Bool) async throws {
            for record in appStore.allTransactions() where record.state != .purchased {
                let before = records
                switch record.state {
                case .deferred where approving: try appStore.approveAskToBuyTransaction(id: record.id)
                case .deferred: try appStore.declineAskToBuyTransaction(id: record.id)
                case .interrupted: try appStore.resolveIssueForTransaction(id: record.id)
                case .purchased: break
                }
                await appStore.waitUntilIdle()
                // The App Store keeps an interrupted purchase that was completed as another record.
                for id in records.subtracting(before) { truth[id] = truth[record.id] }
            }
        }

        /// Compares the purchases that the deliveries received with the truth, and counts them.
        func check(_ counts: inout Counts) {
            let records = Dictionary(
                appStore.allTransactions().compactMap { record in record.transactionID.map { ($0, record) } },
                uniquingKeysWith: { first, _ in first })
            for (id, context) in told.elements {
                guard let record = id.flatMap({ records[$0] }) else { continue }
                #expect(
                    context == truth[record.id] || context == nil && !direct.contains(record.id),
                    "CONTEXT_SEED=\(seed): \(record)")
                guard truth[record.id] != nil else { continue }
                if context == nil { counts.missing += 1 } else { counts.attached += 1 }
            }
        }
    }

    @Test(arguments: slices) func `a purchase has its own context or none, with any launches and parents`(
        seeds: [UInt64]
    ) async throws {
        _ = try await Self.play(seeds)
    }

    @Test func `a large share of the purchases has a context, also of those that were held up`() async throws {
        let seeds = Self.slices.joined().prefix(16)
        let counts = try await Self.play(seeds)
        // A few customers don't show the share of attached contexts.
        if seeds.count == 16 { #expect(counts.attached > counts.missing / 4, "\(counts)") }
    }

    private static func play(_ seeds: some Sequence<UInt64>) async throws -> Counts {
        var counts = Counts()
        for seed in seeds {
            var customer = Customer(seed: seed)
            try await customer.launch()
            for _ in 0..<25 { try await customer.act() }
            customer.check(&counts)
        }
        return counts
    }
}
