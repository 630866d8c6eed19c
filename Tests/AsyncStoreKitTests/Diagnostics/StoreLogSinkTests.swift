import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct StoreLogSinkTests {
    private let lines = Recorder<String>()
    private let clock = SimulatedClock()

    private func sink(from level: StoreLogEvent.Level = .debug) -> @Sendable (StoreLogEvent) -> Void {
        StoreLogSink.lines(from: level, clock: clock) { [lines] in lines.record($0) }
    }

    @Test func `a line has the time, the level and the message`() {
        let sink = sink()
        sink(StoreLogEvent(.notice, "The delivery took its place."))
        clock.advance(by: 1.5)
        sink(StoreLogEvent(.warning, "naïve ☕️"))
        expectEqual(
            lines.elements,
            [
                "2026-01-01T00:00:00.000Z notice The delivery took its place.",
                "2026-01-01T00:00:01.500Z warning naïve ☕️",
            ])
    }

    @Test func `events below the level are left out`() {
        let events: [StoreLogEvent] = [
            .init(.debug, "a"), .init(.notice, "b"), .init(.warning, "c"), .init(.error, "d"),
        ]
        for level in [StoreLogEvent.Level.debug, .notice, .warning, .error] { events.forEach(sink(from: level)) }
        expectEqual(lines.elements.map { $0.suffix(1) }, ["a", "b", "c", "d", "b", "c", "d", "c", "d", "d"])
    }

    @Test(arguments: [
        ("a\nb", "a\\u{a}b"), ("a\r\nb", "a\\u{d}\\u{a}b"), ("\u{1b}[2Jgone", "\\u{1b}[2Jgone"), ("\u{0}", "\\u{0}"),
        ("a\u{2028}b", "a\\u{2028}b"), ("a\u{202E}b", "a\\u{202e}b"), ("\u{85}", "\\u{85}"), ("👩‍👧", "👩‍👧"), ("", ""),
        ("a\u{200F}\u{061C}\u{2069}b", "a\\u{200f}\\u{61c}\\u{2069}b"), ("“ü” – é", "“ü” – é"),
    ])
    func `a message is one line, and can't control a terminal`(message: String, printed: String) {
        let event = StoreLogEvent(.notice, message)
        expectEqual(event.message, printed, "the app's own closure gets the same text")
        sink()(event)
        expectEqual(lines.elements, ["2026-01-01T00:00:00.000Z notice \(printed)"])
    }

    @Test func `a store's events arrive`() async throws {
        let world = StoreWorld(selling: .shop, engine: .storeKit1)
        let store = PurchaseStore(
            backend: SimulatedBackend(world.appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: world.clock, log: sink(from: .notice)))
        store.setDelivery { _ in .accepted }
        store.setDelivery { _ in .accepted }
        try await store.settled()
        expectEqual(lines.elements.count, 1)
        expectEqual(lines.elements.first?.hasSuffix("replaces the earlier one."), true)
    }
}
