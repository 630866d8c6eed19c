import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// What support can find out when a customer writes "I paid and have nothing".
@Suite(.bounded) struct SupportReportTests {
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)
    private let log = Recorder<StoreLogEvent>()

    private func launch() -> PurchaseStore {
        PurchaseStore(
            backend: SimulatedBackend(world.appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: world.clock) { [log] in log.record($0) })
    }

    @Test func `the reason of the app's own delivery isn't in the report`() async throws {
        let store = launch()
        store.setDelivery { _ in .retryLater(after: 60, reason: "The account is being checked.") }
        await expectError(\StoreError.code, .deliveryPending) { try await store.purchase(StoreWorld.pro) }
        expectEqual(
            try await store.diagnostics().held.map(\.lastError), ["the app's delivery asked for another attempt"])
        let report = await store.supportReport()
        #expect(!report.contains("The account is being checked."), "\(report)")
    }

    @Test func `an identifier can't control the terminal of support`() async throws {
        let id = "evil\u{1B}[2J\n\u{202E}"
        let store = PurchaseStore(simulating: SimulatedAppStore(products: [.consumable(id, price: 1)]))
        _ = try await store.purchase(id)
        let report = await store.supportReport()
        #expect(report.contains(#"evil\u{1b}[2J\u{a}\u{202e}"#), "\(report)")
        #expect(!report.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    }

    @Test func `the last hundred events are kept, without details for debugging`() {
        let history = StoreLogHistory(clock: world.clock)
        for number in 1...120 {
            history.record(StoreLogEvent(.debug, "detail \(number)"))
            history.record(StoreLogEvent(.notice, "event \(number)\n"))
        }
        expectEqual(history.events.count, 100)
        expectEqual(history.events.first, "2026-01-01T00:00:00.000Z notice event 21\\u{a}")
        expectEqual(history.events.last, "2026-01-01T00:00:00.000Z notice event 120\\u{a}")
    }

    @Test func `the name of an error in the log has no path and no account`() {
        let path = "/Users/ann.smith/Library/Application Support/AsyncStoreKit/Deliveries"
        let file = CocoaError(.fileReadNoPermission, userInfo: [NSFilePathErrorKey: path])
        expectEqual((file as any Error).nameForLog, "\(CocoaError.errorDomain) 257 (Deliveries)")
        let byURL = CocoaError(.fileReadNoPermission, userInfo: [NSURLErrorKey: URL(fileURLWithPath: path)])
        expectEqual((byURL as any Error).nameForLog, "\(CocoaError.errorDomain) 257 (Deliveries)")
        let web = URLError(.timedOut, userInfo: [NSURLErrorKey: URL(string: "https://ann@example.com/secret") as Any])
        expectEqual((web as any Error).nameForLog, "\(URLError.errorDomain) -1001")
        expectEqual(StoreError(.networkError, "No network.").nameForLog, "networkError: No network.")
        expectEqual(CancellationError().nameForLog, "cancelled")
    }

    @Test func `a closure that throws is in the log, by the error's name`() async throws {
        let store = launch()
        _ = try? await store.purchase(StoreWorld.pro) { _ in
            throw CocoaError(.fileWriteOutOfSpace, userInfo: [NSFilePathErrorKey: "/Users/ann/coins.json"])
        }
        let event = try await log.first { $0.message.contains("wasn't delivered by the closure of its call") }
        expectEqual(event.level, .warning)
        #expect(event.message.hasSuffix("\(CocoaError.errorDomain) 640 (coins.json)."), "\(event)")
        let recent = try await store.diagnostics().recentEvents
        #expect(recent.contains { $0.hasSuffix(event.message) })
    }
}
