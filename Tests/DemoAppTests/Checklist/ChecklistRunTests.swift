import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

@testable import DemoApp

@Suite(.bounded) struct ChecklistRunTests {
    private static let once = ChecklistCheck(
        "once", steps: "Buy.", expected: "One delivery.", action: .purchase("coins"),
        expects: [.delivered, .nothingUnfinished])
    private static let seen = ChecklistCheck("seen", steps: "Look.", expected: "A view.")
    private let begin = Date(timeIntervalSince1970: 1_000_000)

    private func run(_ check: ChecklistCheck, _ signals: [ChecklistSignal]) -> ChecklistRun {
        var run = ChecklistRun(device: "iPhone, iOS 26.2", environment: "sandbox")
        run.begin(check, at: begin)
        for (index, signal) in signals.enumerated() {
            run.observe(signal, at: begin + Double(index) * 2, in: [Self.once, Self.seen])
        }
        return run
    }

    @Test(
        arguments: [
            ([], .running), ([.delivered], .running), ([.nothingUnfinished, .delivered], .asExpected),
            ([.pending, .delivered, .failed, .nothingUnfinished], .asExpected),
            ([.delivered, .delivered], .differs), ([.delivered, .ledgerFailed], .differs),
            ([.delivered, .nothingUnfinished, .delivered], .asExpected),
        ] as [([ChecklistSignal], ChecklistRun.Result)])
    func `the expected events end a check, in any order, and a second delivery differs`(
        signals: [ChecklistSignal], result: ChecklistRun.Result
    ) {
        let entry = run(Self.once, signals)[Self.once]
        expectEqual(entry.result, result)
        expectEqual(entry.wasSeenByApp, result == .asExpected)
    }

    @Test func `a check without expected events waits for a person`() {
        var run = run(Self.seen, [.delivered])
        expectEqual(run[Self.seen].result, .running)
        run.mark(Self.seen, .differs)
        expectEqual(run[Self.seen].result, .differs)
        expectEqual(run[Self.seen].wasSeenByApp, false)
        expectEqual(run.running, nil)
    }

    @Test func `only one check runs at a time, and events belong to it`() {
        var run = run(Self.once, [.delivered])
        run.begin(Self.seen, at: begin + 10)
        run.observe(.revoked, at: begin + 13, in: [Self.once, Self.seen])
        expectEqual(run[Self.once].result, .notRun)
        expectEqual(run[Self.seen].observations, [.init(signal: .revoked, seconds: 3)])
    }

    @Test func `a check continues in the next launch`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = ChecklistStorage(file: folder.appendingPathComponent("results.json"))
        try storage.save(run(Self.once, [.delivered]))
        var next = storage.run(device: "iPhone, iOS 26.2", environment: "sandbox")
        next.observe(.nothingUnfinished, at: begin + 60, in: [Self.once])
        expectEqual(next[Self.once].result, .asExpected)
        expectEqual(next[Self.once].observations.last?.seconds, 60)
        let other = storage.run(device: "iPad, iOS 26.2", environment: "sandbox")
        expectEqual(other.entries, [:])
    }

    @Test func `a report has the results, and nothing that identifies a customer`() async throws {
        let appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: [.consumable("coins", price: 1)]))
        let store = PurchaseStore(simulating: appStore)
        let check = try #require(
            ChecklistRun.checks.first { $0.name == "A purchase and an update for the same transaction" })
        let watched = await Watched(store, check)
        try await watched.perform()
        let run = await watched.run
        expectEqual(run[check].result, .asExpected)
        let report = ChecklistReport(run: run)
        #expect(
            report.markdown.contains("| \(check.name) | as expected, seen by the app | A purchase was delivered, after")
        )
        #expect(report.markdown.contains("1 of \(ChecklistRun.checks.count) checks were run."))
        let json = String(decoding: try report.json(), as: UTF8.self)
        let purchase = try #require(appStore.allTransactions().first)
        for text in [report.markdown, json] {
            #expect(!text.contains("coins"))
            #expect(!text.contains(try #require(purchase.transactionID)))
        }
        expectEqual(try Self.decoded(json), run.entries.mapValues(\.result))
    }

    private static func decoded(_ json: String) throws -> [String: ChecklistRun.Result] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(ChecklistRun.self, from: Data(json.utf8)).entries.mapValues(\.result)
    }
}

@Suite(.bounded) @MainActor struct ChecklistWatcherTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [.consumable("coins", price: 1), .nonConsumable("pro", price: 10)]))

    @Test func `the watcher sees purchases, approvals, refunds and access`() async throws {
        let store = PurchaseStore(simulating: appStore)
        var signals: [ChecklistSignal] = []
        let watcher = ChecklistWatcher(store) { signals.append($0) }
        watcher.start()
        await watcher.perform(.purchaseBoth("coins", "pro"))
        try await store.settled()
        expectEqual(signals.count { $0 == .delivered }, 2)
        #expect(signals.contains(.accessBegan))
        #expect(signals.contains(.nothingUnfinished))
        try appStore.refund("pro")
        try await store.advance(by: 120)
        #expect(signals.contains(.revoked))
        #expect(signals.contains(.accessEnded))
        appStore.behavior.askToBuyEnabled = true
        await watcher.perform(.purchase("coins"))
        try await store.settled()
        #expect(signals.contains(.pending))
        expectEqual(signals.count { $0 == .arrivedLater }, 0)
        try appStore.approvePurchase(of: "coins")
        try await store.settled()
        expectEqual(signals.count { $0 == .arrivedLater }, 1)
        expectEqual(signals.count { $0 == .delivered }, 3)
        #expect(!signals.contains(.redelivered))
        watcher.stop()
    }

    @Test func `a failed purchase and a restore are reported`() async throws {
        let store = PurchaseStore(simulating: appStore)
        var signals: [ChecklistSignal] = []
        let watcher = ChecklistWatcher(store, slowDelivery: 1) { signals.append($0) }
        appStore.setNextPurchaseOutcome(.failed(.paymentInvalid))
        await watcher.perform(.purchase("pro"))
        expectEqual(signals.first, .failed)
        await watcher.perform(.purchaseSlowly("pro"))
        expectEqual(signals.count { $0 == .delivered }, 1)
        await watcher.perform(.restore)
        #expect(signals.contains(.redelivered))
    }
}

/// A check that is performed over a store.
@MainActor private final class Watched {
    private(set) var run = ChecklistRun(device: "iPhone, iOS 26.2", environment: "sandbox")
    private let store: PurchaseStore
    private let check: ChecklistCheck
    private var watcher: ChecklistWatcher?

    init(_ store: PurchaseStore, _ check: ChecklistCheck) {
        self.store = store
        self.check = check
        watcher = ChecklistWatcher(store) { [weak self] in self?.run.observe($0, at: store.now) }
    }

    func perform() async throws {
        watcher?.start()
        run.begin(check, at: store.now)
        guard let action = check.action else { return }
        await watcher?.perform(action)
        try await store.settled()
        watcher?.stop()
    }
}
