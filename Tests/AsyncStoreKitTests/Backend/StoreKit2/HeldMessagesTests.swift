import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) @MainActor struct HeldMessagesTests {
    private let messages = HeldMessages<String>()
    private let message = StoreMessage(reason: .billingIssue)

    @Test func `a message that was shown is forgotten`() throws {
        let shown = Locked<[String]>([])
        messages.hold(message) { place in shown.withLock { $0.append(place) } }
        try messages.display(message, in: "window")
        expectError(\StoreError.code, .unsupported) { try messages.display(message, in: "window") }
        expectEqual(shown.withLock { $0 }, ["window"])
    }

    @Test func `a message that couldn't be shown can be shown later`() throws {
        let isReady = Locked(false)
        messages.hold(message) { _ in if !isReady.withLock({ $0 }) { throw URLError(.unknown) } }
        #expect(throws: URLError.self) { try messages.display(message, in: "window") }
        isReady.withLock { $0 = true }
        try messages.display(message, in: "window")
    }

    @Test func `a message of another process can't be shown`() {
        expectError(\StoreError.code, .unsupported) { try messages.display(message, in: "window") }
    }
}
