import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Random customers. No purchase may have the context of another one.
@Suite(.bounded) struct ContextOracleTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let customers = environment["CONTEXT_CUSTOMERS"].flatMap(Int.init) ?? 40
    private static let seed: UInt64 = {
        let seed = environment["CONTEXT_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("Customers with contexts: \(customers), the first is CONTEXT_SEED=\(seed)")
        return seed
    }()

    /// The purchases that the deliveries of all customers received.
    private struct Counts: Sendable {
        var right = 0
        var wrong = 0
        /// The purchases whose context exists, and that the store didn't attach.
        var none = 0
        var withoutContext = 0
    }

    /// One customer, and the true context of each purchase.
    private struct Customer {
        let appStore: SimulatedAppStore
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("oracle-\(UUID().uuidString)")
        let user = UUID()
        let told = Recorder<(id: String?, context: Int?)>()
        var random: ScheduleGenerator
        var store: PurchaseStore?
        var otherDevice: PurchaseStore?
        /// The contexts, by the App Store's own record of the purchase.
        var truth: [SimulatedTransaction.ID: Int] = [:]
        var requests = 0

        init(seed: UInt64) {
            random = ScheduleGenerator(seed: seed)
            appStore = SimulatedAppStore(catalog: BehaviorWorld.catalog, seed: seed)
        }

        private var records: Set<SimulatedTransaction.ID> { Set(appStore.allTransactions().map(\.id)) }

        mutating func launch() async throws {
            let engine: StoreEngine = random.chance(40) ? .storeKit1 : .storeKit2
            let configuration = StoreConfiguration(deliveryLedger: DeliveryLedger(url: url))
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
            case 4: try appStore.buyProduct(productID: BehaviorWorld.coins)
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
            if let outcome = outcomes.randomElement(using: &random) ?? nil { appStore.setNextPurchaseOutcome(outcome) }
            let before = records
            let product = random.chance(70) ? BehaviorWorld.coins : BehaviorWorld.weekly
            _ = try? await store.purchase(product, options: options)
            try await store.settled()
            for id in records.subtracting(before) { truth[id] = requests }
        }

        private mutating func buyOnOtherDevice() async throws {
            let device = otherDevice ?? PurchaseStore(simulating: appStore.newDevice())
            otherDevice = device
            var options = PurchaseOptions()
            if random.chance(60) { options.appAccountToken = user }
            _ = try? await device.purchase(BehaviorWorld.coins, options: options)
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

        /// Compares the purchases that the deliveries received with the truth.
        func count(into counts: inout Counts) {
            let records = appStore.allTransactions()
            let ids = Dictionary(records.compactMap { record in record.transactionID.map { ($0, record) } }) {
                first, _ in first
            }
            for (id, context) in told.elements {
                guard let record = id.flatMap({ ids[$0] }) else { continue }
                let truth = truth[record.id]
                switch (context, truth) {
                case (nil, nil): counts.withoutContext += 1
                case (nil, _): counts.none += 1
                case (let context, let truth) where context == truth: counts.right += 1
                default:
                    counts.wrong += 1
                    print("wrong: \(context ?? 0) instead of \(truth ?? 0): \(record)")
                }
            }
        }
    }

    @Test(arguments: 0..<4) func `no purchase has a wrong context, with any launches, engines, devices and parents`(
        part: Int
    )
        async throws
    {
        var counts = Counts()
        for number in stride(from: part, to: Self.customers, by: 4) {
            let seed = Self.seed &+ UInt64(number)
            var customer = Customer(seed: seed)
            defer { try? FileManager.default.removeItem(at: customer.url) }
            try await customer.launch()
            for _ in 0..<25 { try await customer.act() }
            let wrong = counts.wrong
            customer.count(into: &counts)
            #expect(counts.wrong == wrong, "CONTEXT_SEED=\(seed)")
        }
        print("Contexts: \(counts)")
        // A few customers don't show how often contexts are attached.
        guard Self.customers >= 40 else { return }
        #expect(counts.right > counts.none / 4 && counts.right > 0 && counts.withoutContext > 0)
    }
}
