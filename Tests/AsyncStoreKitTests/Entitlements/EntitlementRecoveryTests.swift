import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The entitlements after reads that decided nothing, and the time until they recover.
@Suite(.bounded) struct EntitlementRecoveryTests {
    private func world(signs: Bool = false, _ change: (inout SimulatorBehavior) -> Void = { _ in }) -> StoreWorld {
        .behaving(signs: signs, change)
    }

    @Test(arguments: [true, false])
    func `a status that says expired is believed at once only if Apple has signed that there is no renewal`(
        willRenew: Bool
    ) async throws {
        let world = world { $0.renewalVisibilityDelay = 30 }
        try await world.own("basic")
        if !willRenew { try world.appStore.disableAutoRenew(of: "basic") }
        let app = EntitlementApp(world)
        #expect(await app.refresh().contains("basic"))
        try app.advance(toEndOf: "basic", plus: 3)
        await app.pass(4)
        expectEqual(app.latest.contains("basic"), willRenew)
        await app.pass(90)
        expectEqual(app.latest.contains("basic"), willRenew)
    }

    @Test(arguments: [true, false])
    func `access recovers without a relaunch when a fast clock is corrected`(readsStatuses: Bool) async throws {
        let world = world()
        try await world.own("basic")
        let app = EntitlementApp(world)
        let end = try #require(await app.refresh().nextChange)
        app.clock.offset = 40 * 86_400
        if !readsStatuses { app.device.fails(.networkError) }
        let ahead = await app.refresh()
        #expect(ahead.contains("basic") == readsStatuses, "the status outweighs the clock")
        app.clock.offset = 0
        app.device.fails(nil)
        let healed = await app.store.entitlements.current
        #expect(healed.contains("basic") && healed.nextChange == end && healed.issues.isEmpty)
    }

    @Test func `a read is evaluated at the right time if the clock is corrected before it begins`() async throws {
        let world = world()
        try await world.own("basic")
        let app = EntitlementApp(world)
        let end = try #require(await app.refresh().nextChange)
        app.clock.offset = 40 * 86_400
        app.clock.isPutRightByNextUse = true
        let entitlements = await app.refresh()
        expectEqual(entitlements.nextChange, end)
        #expect(entitlements.contains("basic") && entitlements.issues.isEmpty)
    }

    @Test func `renewals that were reported while no read succeeded are known in the next launch`() async throws {
        let world = world(signs: true)
        try await world.own("basic")
        let app = EntitlementApp(world)
        let end = try #require(await app.refresh().nextChange)
        app.device.fails(.networkError)
        app.listen()
        try app.advance(toEndOf: "basic", plus: 60)
        await world.appStore.waitUntilIdle()
        _ = try await app.seen.first { $0["basic"]?.accessEndDate.map { $0 > end } ?? false }
        try await app.cache.saved {
            $0.split(separator: "\"").contains { Self.period(String($0)).map { $0 > end } ?? false }
        }
        let next = app.relaunched()
        next.device.fails(.networkError)
        let entitlements = await next.store.entitlements.current
        #expect(entitlements.contains("basic"))
        #expect(entitlements.nextChange.map { $0 > world.appStore.now } ?? false)
    }

    /// The end of the period that a text of the cache signs.
    private static func period(_ text: String) -> Date? {
        try? SignedPayload.unverified(jws: text).transaction?.expirationDate
    }

    @Test func `current reads the device if a period has ended, even if no timer fired`() async throws {
        let world = world()
        try await world.own("basic")
        try world.appStore.disableAutoRenew(of: "basic")
        let app = EntitlementApp(world)
        #expect(await app.store.entitlements.current.contains("basic"))
        // The app is suspended: its timers stand still.
        app.clock.isSuspended = true
        world.appStore.advance(by: 60 * 86_400)
        let entitlements = await app.store.entitlements.current
        #expect(!entitlements.contains("basic") && entitlements.nextChange == nil)
    }

    @Test(arguments: [true, false])
    func `current knows a revocation that a stream has delivered`(isShared: Bool) async throws {
        for _ in 0..<20 {
            let world = world()
            if isShared { try world.appStore.shareInFamily("pro") } else { try await world.own("pro") }
            let app = EntitlementApp(world)
            #expect(await app.store.entitlements.current.contains("pro"))
            var revocations = app.store.revocations.makeAsyncIterator()
            if isShared { try world.appStore.revokeFamilySharing(of: "pro") } else { try world.appStore.refund("pro") }
            #expect(await revocations.next()?.productIDs == ["pro"])
            #expect(!app.latest.contains("pro"))
            expectEqual(await app.store.entitlements.current["pro"]?.state, .revoked)
        }
    }
}
