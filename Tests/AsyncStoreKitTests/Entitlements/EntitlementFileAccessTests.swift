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

    @Test func `deleting a line loses a purchase until the next read`() async throws {
        let (world, data) = try await World.earlierRun()
        let less = World.data(World.lines(data).filter { World.product($0) != "pro" })
        let silent = await World.nextRun(world, less)
        expectEqual(silent.productIDs, ["basic"])
        expectEqual(World.refusals(silent), ["The file was changed after it was saved."])
        expectEqual(await answered(world, less).productIDs, ["pro", "basic"])
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

    @Test func `a lifetime purchase gives access while reads fail`() async throws {
        let (world, data) = try await World.earlierRun()
        let later = await World.nextRun(world, data, now: world.appStore.now.addingTimeInterval(400 * 86_400))
        expectEqual(later.productIDs, ["pro"])
        expectEqual(later["basic"]?.state, .expired)
    }

    @Test func `an older file gives access in an extension until the app saves again`() async throws {
        let (world, older) = try await World.earlierRun(buying: ["pro"])
        try world.appStore.refund("pro")
        let cache = MemoryCache(older)
        let reader = EntitlementReader(cache, simulating: world.appStore)
        #expect(reader.entitlements().contains("pro"))
        let store = PurchaseStore(
            simulating: world.appStore, configuration: StoreConfiguration(entitlementCache: cache))
        _ = await store.entitlements.refresh()
        try await store.settled()
        #expect(!reader.entitlements().contains("pro"))
    }

    // MARK: Can't

    @Test func `no change adds a purchase or prolongs a period`() async throws {
        let (world, data) = try await World.earlierRun(buying: ["basic"])
        let end = try #require(await World.nextRun(world, data)["basic"]?.accessEndDate)
        for (old, new) in [("basic", "premium"), ("\"expiresDate\":1", "\"expiresDate\":9")] {
            let lines = World.lines(data).map { line -> String in
                guard World.product(line) != nil, let payload = line.split(separator: ".").dropFirst().first else {
                    return line
                }
                let json = String(decoding: Data(base64URL: String(payload)), as: UTF8.self)
                #expect(json.contains(old))
                return line.replacing(payload, with: Data(json.replacing(old, with: new).utf8).base64URL)
            }
            let forged = await World.nextRun(world, World.data(lines))
            #expect(forged.active.isEmpty && World.refusals(forged).count == 1)
            let both = await World.nextRun(world, World.data(World.lines(data) + lines))
            #expect(both.productIDs == ["basic"] && both["basic"]?.accessEndDate == end)
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
        #expect(refused { $0.environment = .production }.contains("Sandbox"))
        let app = refused { ($0.bundleID, $0.processBundleID) = ("com.example.other", "com.example.other.widget") }
        for name in ["com.example.app", "com.example.other", "com.example.other.widget"] {
            #expect(app.contains(name))
        }
    }

    @Test func `the App Store's build ignores purchases of TestFlight`() async throws {
        let (world, data) = try await World.earlierRun()
        expectEqual(await World.nextRun(world, data).productIDs, ["pro", "basic"])
        world.appStore.behavior.environment = .production
        let next = await World.nextRun(world, data)
        #expect(next.all.isEmpty && next.basis == .unknown)
        #expect(World.refusals(next).contains { $0.contains("Sandbox") && $0.contains("Production") }, "\(next.issues)")
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
            #expect(try !EntitlementStorage(cache).save(history, trust, at: world.appStore.now) && cache.saveCount == 0)
        }
    }

    @Test func `a file never has the purchases of two customers`() async throws {
        let (world, data) = try await World.earlierRun()
        world.appStore.behavior.historyListsAnotherAccount = true
        let others = world.appStore.launch().transactions(.all, of: "filters").map { "t " + $0.text.jws }
        expectEqual(others.count, 1)
        let both = await World.nextRun(world, World.data(World.lines(data) + others))
        #expect(both.all.isEmpty && World.refusals(both) == ["The file has transactions of several customers."])
        let stolen = World.data(World.lines(data).map { World.product($0) == "pro" ? others[0] : $0 })
        #expect(await World.nextRun(world, stolen).all.isEmpty)
    }

    @Test func `a text that doesn't name the customer is used only in an unchanged file`() async throws {
        let (world, data) = try await World.earlierRun(buying: ["pro", "filters"]) {
            $0.textsLackAppTransactionID = true
        }
        expectEqual(await World.nextRun(world, data).productIDs, ["pro", "filters"])
        let deleted = World.data(World.lines(data).filter { World.product($0) != "pro" })
        let less = await World.nextRun(world, deleted)
        #expect(less.all.isEmpty && World.refusals(less).contains { $0.contains("doesn't name the customer") })
        // The other customer's file, with a text of the first customer.
        let (other, otherData) = try await World.earlierRun(buying: ["basic"])
        let texts = World.lines(data).filter { World.product($0) == "pro" }
        let mixed = await World.nextRun(other, World.data(World.lines(otherData) + texts))
        expectEqual(mixed.productIDs, ["basic"])
    }

    @Test func `a family's text is used only in an unchanged file`() async throws {
        let cache = MemoryCache()
        let world = StoreWorld(signs: true, configuration: StoreConfiguration(entitlementCache: cache))
        try await world.buy("filters")
        try world.appStore.shareInFamily("pro")
        _ = await world.refreshed()
        try await world.store.settled()
        let data = try #require(cache.data.withLock { $0 })
        expectEqual(await World.nextRun(world, data).productIDs, ["pro", "filters"])
        let deleted = World.data(World.lines(data).filter { World.product($0) != "filters" })
        #expect(EntitlementStorage.decode(deleted, trust(world)).0.transactions.isEmpty)
    }

    @Test func `a date that was changed is ignored`() async throws {
        let (world, data) = try await World.earlierRun(buying: ["pro"])
        let trust = trust(world)
        let later = Int64(world.appStore.now.timeIntervalSince1970 * 1_000) + 86_400_000
        let lines = World.lines(data).map { $0.hasPrefix("confirmed ") ? "confirmed \(later)" : $0 }
        let (forged, issues) = EntitlementStorage.decode(World.data(lines), trust)
        #expect(forged.transactions.count == 1 && forged.confirmedDate == nil && issues.count == 1)
        var other = trust
        other.deviceVerificationID = UUID()
        #expect(EntitlementStorage.decode(try World.sealed(lines, other), trust).0.confirmedDate == nil)
        let genuine = EntitlementStorage.decode(try World.sealed(lines, trust), trust)
        #expect(genuine.0.confirmedDate == Date(timeIntervalSince1970: Double(later) / 1_000) && genuine.1.isEmpty)
    }

    @Test func `a forged text can't make a message long`() async throws {
        let (world, data) = try await World.earlierRun(buying: ["pro"])
        let header = Data(#"{"alg":"\#(String(repeating: "e\u{301}\u{323}", count: 8_000))","x5c":[]}"#.utf8).base64URL
        let lines = World.lines(data).map { line -> String in
            let parts = line.split(separator: ".")
            return World.product(line) == nil ? line : "t \(header).\(parts[1]).\(parts[2])"
        }
        let forged = await World.nextRun(world, World.data(lines))
        #expect(
            forged.all.isEmpty && World.refusals(forged).allSatisfy { $0.utf8.count <= 503 } && !forged.issues.isEmpty)
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
