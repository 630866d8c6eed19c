import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The abilities and limits of a person with access to the cache, as the article *Entitlements* states them.
@Suite(.bounded) struct EntitlementFileAccessTests {
    private typealias World = EntitlementCacheWorld

    private func trust(_ world: StoreWorld) -> HistoryTrust {
        HistoryTrust(SimulatedBackend.self, world.appStore)
    }

    /// Returns the entitlements of the next launch, on a device that answers.
    private func answered(_ world: StoreWorld, _ data: Data?) async -> StoreEntitlements {
        let store = PurchaseStore(
            simulating: world.appStore, configuration: StoreConfiguration(entitlementCache: MemoryCache(data)))
        return await store.entitlements.refresh()
    }

    // MARK: Can

    @Test func `a file that was changed gives nothing until the next read`() async throws {
        let (world, data) = try await World.earlierRun()
        let forged = World.replacing("\"customer\":\"7", with: "\"customer\":\"8", in: data)
        let silent = await World.nextRun(world, forged)
        #expect(silent.all.isEmpty && World.refusals(silent).contains { $0.contains("was changed") })
        expectEqual(await answered(world, forged).productIDs, ["pro", "basic"])
    }

    @Test func `an older file gives access until the device has been read`() async throws {
        let (world, older) = try await World.earlierRun(buying: ["basic", "filters"])
        try world.appStore.expireSubscription(productID: "basic")
        world.appStore.advance(by: 120)
        expectEqual(await World.nextRun(world, older).productIDs, ["basic", "filters"])
        let read = await answered(world, older)
        #expect(read["basic"]?.state == .expired && read.contains("filters"))
    }

    @Test func `an older file changes nothing after the store has seen a refund`() async throws {
        let cache = MemoryCache()
        let world = StoreWorld(signs: true, configuration: StoreConfiguration(entitlementCache: cache))
        try await world.buy("pro")
        _ = await world.refreshed()
        try await world.store.settled()
        let older = cache.data.withLock { $0 }
        try world.appStore.refund("pro")
        expectEqual(await world.refreshed()["pro"]?.state, .revoked)
        cache.data.withLock { $0 = older }
        expectEqual(await world.refreshed()["pro"]?.state, .revoked)
    }

    @Test(arguments: [(3_600.0, false), (35 * 86_400, true), (.infinity, true)])
    func `a file that nothing confirms gives access for its lifetime on a device that lists nothing`(
        lifetime: TimeInterval, counts: Bool
    ) async throws {
        let (world, data) = try await World.earlierRun(buying: ["pro"])
        world.appStore.advance(by: 2 * 3_600)
        world.appStore.behavior.entitlementsListing = .empty
        world.appStore.behavior.historyListing = .empty
        let configuration = StoreConfiguration(entitlementCache: MemoryCache(data), entitlementCacheLifetime: lifetime)
        let store = PurchaseStore(simulating: world.appStore, configuration: configuration)
        expectEqual(await store.entitlements.refresh().productIDs, ["pro"])
        world.appStore.advance(by: 100)
        expectEqual(await store.entitlements.refresh().contains("pro"), counts)
    }

    // MARK: Can't

    @Test func `a text that Apple didn't sign is refused even with a seal`() async throws {
        let (world, data) = try await World.earlierRun(buying: ["basic"])
        for (old, new) in [("basic", "premium"), ("\"expiresDate\":1", "\"expiresDate\":9")] {
            var object = String(decoding: World.object(data), as: UTF8.self)
            for text in object.split(separator: "\"") where text.split(separator: ".").count == 3 {
                let payload = text.split(separator: ".")[1]
                let json = String(decoding: Data(base64URL: String(payload)), as: UTF8.self).replacing(old, with: new)
                object = object.replacing(payload, with: Data(json.utf8).base64URL)
            }
            let forged = await World.nextRun(world, try World.sealed(Data(object.utf8), trust(world)))
            #expect(forged.all.isEmpty && World.refusals(forged).contains { $0.contains("isn't accepted") })
        }
    }

    @Test func `a file of another device, another app or another environment unlocks nothing`() async throws {
        let (world, data) = try await World.earlierRun()
        func refused(_ change: (inout HistoryTrust) -> Void) -> String {
            var trust = trust(world)
            change(&trust)
            let (history, issues) = EntitlementStorage.decode(data, trust)
            #expect(history.transactions.isEmpty && history.confirmedDate == nil)
            return "\(issues)"
        }
        #expect(refused { $0.deviceVerificationID = UUID() }.contains("device"))
        #expect(refused { $0.environment = .production }.contains("Production"))
        let app = refused { ($0.bundleID, $0.processBundleID) = ("com.example.other", "com.example.other.widget") }
        #expect(app.contains("com.example.other in the process com.example.other.widget"))
    }

    @Test func `without an app, an environment or a device there is no cache`() async throws {
        let (world, data) = try await World.earlierRun()
        let (history, _) = EntitlementStorage.decode(data, trust(world))
        let parts: [(String, (inout HistoryTrust) -> Void)] = [
            ("bundle identifier", { $0.bundleID = nil }), ("environment", { $0.environment = nil }),
            ("device", { $0.deviceVerificationID = nil }),
        ]
        for (part, remove) in parts {
            var trust = trust(world)
            remove(&trust)
            let (refused, issues) = EntitlementStorage.decode(data, trust)
            #expect(refused.transactions.isEmpty && "\(issues)".contains(part), "\(issues)")
            let cache = MemoryCache()
            let date = try await EntitlementStorage(cache).save({ history }, trust, at: world.appStore.now)
            #expect(date == nil && cache.saveCount == 0)
        }
    }

    @Test func `texts that don't name the customer, and a family's, are used`() async throws {
        let (unnamed, file) = try await World.earlierRun(buying: ["pro", "filters"]) {
            $0.textsLackAppTransactionID = true
        }
        expectEqual(await World.nextRun(unnamed, file).productIDs, ["pro", "filters"])
        let cache = MemoryCache()
        let world = StoreWorld(signs: true, configuration: StoreConfiguration(entitlementCache: cache))
        try await world.buy("filters")
        try world.appStore.shareInFamily("pro")
        _ = await world.refreshed()
        try await world.store.settled()
        let data = try #require(cache.data.withLock { $0 })
        expectEqual(await World.nextRun(world, data).productIDs, ["pro", "filters"])
    }
}

extension HistoryTrust {
    /// The trust of a simulated backend.
    fileprivate init(_: SimulatedBackend.Type, _ appStore: SimulatedAppStore) {
        self.init(
            bundleID: appStore.bundleID,
            environment: ReceiptEnvironment(rawValue: appStore.behavior.environment.rawValue),
            deviceVerificationID: appStore.deviceVerificationID,
            signatureAnchors: HistoryTrust.anchors(SimulatedJWSIssuer.rootCertificate))
    }
}

extension Data {
    fileprivate init(base64URL text: String) {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        self = Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)) ?? Data()
    }

    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
