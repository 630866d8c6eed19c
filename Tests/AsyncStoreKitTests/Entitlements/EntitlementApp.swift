import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import Testing

@testable import AsyncStoreKit

/// One launch of an app over StoreKit 2, with a device whose reads can fail, a clock that can be wrong, and every value
/// that its loop over the entitlements has received.
struct EntitlementApp {
    let world: StoreWorld
    let store: PurchaseStore
    let device: ReadingDevice
    let clock: DeviceClock
    let cache: MemoryCache
    let seen = Recorder<StoreEntitlements>()

    init(
        _ world: StoreWorld, cache: MemoryCache? = MemoryCache(),
        configuration: StoreConfiguration = StoreConfiguration()
    ) {
        self.world = world
        self.cache = cache ?? MemoryCache()
        clock = DeviceClock(world.appStore)
        device = ReadingDevice(StoreKit2Backend(environment: world.environment))
        var configuration = configuration
        configuration.clock = clock
        configuration.entitlementCache = cache
        store = PurchaseStore(over: device, configuration: configuration)
    }

    /// Begins to record every value.
    func listen() {
        let entitlements = store.entitlements
        Task { [seen] in for await value in entitlements { seen.record(value) } }
    }

    var appStore: SimulatedAppStore { world.appStore }
    var latest: StoreEntitlements { store.entitlements.latest }

    func refresh() async -> StoreEntitlements { await store.entitlements.refresh() }

    func buy(_ productID: String) async throws {
        try await store.purchase(productID) { _ in }
    }

    /// Advances second by second, and lets the store read at its own times.
    func pass(_ seconds: Int) async {
        for _ in 0..<seconds {
            appStore.advance(by: 1)
            await appStore.waitUntilIdle()
            _ = await store.entitlements.current
        }
    }

    func relaunched() -> EntitlementApp { EntitlementApp(world.relaunched(), cache: cache) }

    /// Advances to a moment after, or before, the end of the current access.
    func advance(toEndOf productID: String, plus seconds: TimeInterval = 0) throws {
        let end = try #require(latest[productID]?.accessEndDate)
        appStore.advance(by: end.addingTimeInterval(seconds).timeIntervalSince(appStore.now))
    }

    /// Whether the loop received a value without a product after a value with it.
    func hasSeenLoss(of productID: String) -> Bool {
        seen.elements.drop { !$0.contains(productID) }.contains { !$0.contains(productID) }
    }
}

/// The clock of a device, which can be wrong, and whose timers can stand still.
final class DeviceClock: StoreClock {
    private let base: SimulatedClock
    private let state = Locked((offset: TimeInterval(0), isPutRightByNextUse: false, isSuspended: false))

    init(_ appStore: SimulatedAppStore) {
        base = SimulatedClock(appStore)
    }

    var offset: TimeInterval {
        get { state.withLock { $0.offset } }
        set { state.withLock { $0.offset = newValue } }
    }

    /// Whether the next date is the last wrong one.
    var isPutRightByNextUse: Bool {
        get { state.withLock { $0.isPutRightByNextUse } }
        set { state.withLock { $0.isPutRightByNextUse = newValue } }
    }

    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set { state.withLock { $0.isSuspended = newValue } }
    }

    var now: Date {
        let offset = state.withLock { state in
            defer { if state.isPutRightByNextUse { state.offset = 0 } }
            return state.offset
        }
        return base.now.addingTimeInterval(offset)
    }

    func sleep(until deadline: Date) async throws {
        try await base.sleep(until: deadline.addingTimeInterval(-offset))
        if isSuspended { try await base.sleep(until: .distantFuture) }
    }
}
