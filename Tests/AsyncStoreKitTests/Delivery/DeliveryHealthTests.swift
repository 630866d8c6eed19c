import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DeliveryHealthTests {
    private func pause(from start: TimeInterval, _ seconds: TimeInterval) -> DeliveryPause {
        DeliveryPause(begin: .seconds(start), end: .seconds(start + seconds), endOnReturn: .seconds(start))
    }

    /// Fails at a number of seconds, with pauses of ten seconds for each failure.
    private func fail(_ health: inout DeliveryHealth, at time: TimeInterval, asked: TimeInterval? = nil) -> Bool {
        health.failed(isRequested: asked != nil, now: .seconds(time)) { failures in
            pause(from: time, asked ?? Double(failures) * 10)
        }
    }

    @Test func `failures during a pause are one failure, and a longer requested pause replaces a shorter one`() {
        var health = DeliveryHealth()
        #expect(fail(&health, at: 0))
        #expect(!fail(&health, at: 1))
        expectEqual(health.failures, 1)
        expectEqual(health.pause?.end, .seconds(10))
        #expect(!fail(&health, at: 2, asked: 3))
        expectEqual(health.pause?.end, .seconds(10), "a shorter one doesn't")
        #expect(!fail(&health, at: 2, asked: 100))
        expectEqual(health.pause?.end, .seconds(102))
        #expect(fail(&health, at: 102))
        expectEqual(health.failures, 2)
        expectEqual(health.pause?.end, .seconds(122))
    }
}
