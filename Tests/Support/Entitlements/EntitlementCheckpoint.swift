import AppReceipt
package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
package import Foundation

/// A random history of a customer against the App Store's own records, on a device that answers badly.
///
/// At the end, all faults stop, and the device tells the store nothing. Within 820 seconds, the answer has to be the
/// App Store's.
package final class EntitlementCheckpoint {
    /// Creates a backend for a launch, over a device with faults.
    package typealias MakeBackend = @Sendable (SimulatedLaunch, EntitlementDevice) -> any StoreBackend

    private let seed: UInt64
    private let makeBackend: MakeBackend
    /// Whether the backend is StoreKit 1's: a receipt has no grace periods, and its rows are the truth.
    private let isReceipt: Bool
    private let appStore: SimulatedAppStore
    private let device: EntitlementDevice
    private var random: ScheduleGenerator
    private var launch: SimulatedLaunch
    private var store: PurchaseStore
    private var cache: MemoryCache
    private var seen = Recorder<StoreEntitlements>()
    /// Every product that the customer ever had.
    private var everOwned: Set<String> = []
    /// The products that were active and owned at the last step; empty after the device has lied.
    private var known: Set<String> = []
    private var lastTruthfulRead: Date
    private var story: [String] = []
    private var violation: String?

    /// The seconds after which the answer has to be right.
    package static let recovery: TimeInterval = 820

    /// - Parameter signs: Whether texts have a genuine signature, which takes time to create. Without, there is no
    ///   receipt, and a cache isn't accepted.
    package init(seed: UInt64, isReceipt: Bool = false, signs: Bool, makeBackend: @escaping MakeBackend) {
        self.seed = seed
        self.makeBackend = makeBackend
        self.isReceipt = isReceipt
        var behavior = SimulatorBehavior()
        behavior.signsReceipts = signs
        var catalog = SimulatedCatalog.clubWithPlans
        catalog.behavior = behavior
        appStore = SimulatedAppStore(catalog: catalog, seed: seed)
        random = ScheduleGenerator(seed: seed)
        device = EntitlementDevice(seed: seed &+ 2)
        launch = appStore.launch()
        cache = MemoryCache(nil)
        lastTruthfulRead = appStore.now
        store = PurchaseStore(
            over: EntitlementDeviceBackend(makeBackend(launch, device), device),
            configuration: StoreConfiguration(entitlementCache: cache))
        listen()
    }

    /// Plays the history.
    /// - Returns: What went wrong; `nil` if nothing did.
    package func play(steps: Int) async throws -> String? {
        for _ in 0..<steps where violation == nil {
            try await step()
            try await check()
        }
        if violation == nil { try await conclude() }
        return violation.map { "\($0), after \(story.joined(separator: ", "))" }
    }

    private func listen() {
        let entitlements = store.entitlements
        seen = Recorder()
        Task { [seen] in for await value in entitlements { seen.record(value) } }
    }

    private func step() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: try await buyHere()
        case 12..<36:
            let played = random.play(on: appStore)
            story.append(played)
            // StoreKit 1 reports a change of the subscription that takes effect later, like a purchase here.
            if isReceipt, let product = played.split(separator: " ").last { everOwned.insert(String(product)) }
            try await store.settled()
        case 36..<42:
            story.append(random.play([.reverseRefund, .reverseRefund, .disagree], on: appStore))
            try await store.settled()
        case 42..<64: setFault(EntitlementDevice.Fault.allCases.randomElement(using: &random) ?? .none)
        case 64..<70:
            story.append("refresh")
            // A late read doesn't end before time passes.
            Task { [store] in _ = await store.entitlements.current }
            try await store.settled()
        case 70..<82: try await pass(Double(Int.random(in: 1...40, using: &random)))
        case 82..<88: try await passDays(Double(Int.random(in: 1...33, using: &random)))
        case 88..<95: try await relaunch()
        default: try await setClock()
        }
    }

    private func buyHere() async throws {
        let product = SimulatedCatalog.club.products.randomElement(using: &random)?.productID ?? "pro"
        story.append("buy \(product) here")
        // StoreKit 1 reports a change of the subscription that takes effect later. The receipt may not be known yet.
        if isReceipt { everOwned.insert(product) }
        let store = store
        let purchase = Task { _ = try? await store.purchase(product) { _ in } }
        try await store.settled()
        purchase.cancel()
    }

    private func setFault(_ fault: EntitlementDevice.Fault) {
        story.append("\(fault)")
        device.fault = fault
    }

    private func pass(_ seconds: TimeInterval) async throws {
        story.append("\(Int(seconds)) s")
        try await store.advance(by: seconds)
    }

    /// Lets days pass at once: a suspended device reads less often.
    private func passDays(_ days: TimeInterval) async throws {
        story.append("\(Int(days)) days")
        appStore.advance(by: days * 86_400)
        try await store.settled()
    }

    private func setClock() async throws {
        let offset = appStore.deviceClockOffset
        let offsets: [TimeInterval] = [3_600, -3_600, 40 * 86_400, -40 * 86_400, 400 * 86_400, -400 * 86_400]
        appStore.deviceClockOffset = offset == 0 ? offsets.randomElement(using: &random) ?? 0 : 0
        story.append("clock \(Int(appStore.deviceClockOffset))")
        // The system reports a change of the clock.
        store.refreshPendingState()
        try await store.settled()
    }

    private func relaunch() async throws {
        var data = cache.content
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: story.append("relaunch")
        case 5..<8:
            story.append("relaunch without a cache")
            data = nil
        case 8:
            story.append("relaunch with a cut cache")
            data = data.map { $0.prefix($0.count / 2) }
        default:
            story.append("relaunch with a foreign cache")
            data = Data("AsyncStoreKit entitlements 3 e30=\n{}".utf8)
        }
        let former = store
        cache = MemoryCache(data)
        launch = appStore.launch()
        device.forget()
        store = PurchaseStore(
            over: EntitlementDeviceBackend(makeBackend(launch, device), device),
            configuration: StoreConfiguration(entitlementCache: cache))
        listen()
        known = []
        withExtendedLifetime(former) {}
        try await store.settled()
    }

    /// The products that the customer may use, by the App Store's own records.
    private var truth: Set<String> {
        guard isReceipt else {
            let owned = launch.transactions(.currentEntitlements).map(\.record).filter { $0.kind != .consumable }
            return Set(owned.map(\.productID))
        }
        let rows = launch.receipt.flatMap { try? Receipt.unverified(pkcs7: $0) }?.transactions ?? []
        let owned = rows.filter {
            $0.isValid && $0.productKind != .consumable && $0.expirationDate.map { $0 > appStore.now } ?? true
        }
        return Set(owned.map(\.productID))
    }

    /// The products with a paid transaction that isn't finished. They may give access although the App Store's list
    /// lacks them: the content isn't delivered yet.
    private var undelivered: Set<String> {
        guard !isReceipt else { return [] }
        let records = launch.transactions(.unfinished).map(\.record).filter { record in
            record.revocationDate == nil && !record.isUpgraded
                && record.expirationDate.map { $0 > appStore.now } ?? true
        }
        return Set(records.map(\.productID))
    }

    private func check() async throws {
        let truth = truth
        everOwned.formUnion(truth)
        if isReceipt, let receipt = launch.receipt.flatMap({ try? Receipt.unverified(pkcs7: $0) }) {
            everOwned.formUnion(receipt.distinctProductIDs)
        }
        everOwned.formUnion(launch.transactions(.all).map(\.record.productID))
        everOwned.formUnion(appStore.allTransactions().map(\.productID))
        for value in seen.elements + [store.entitlements.latest] where !value.productIDs.isSubset(of: everOwned) {
            violation = "\(value.productIDs.subtracting(everOwned).sorted()) was never bought"
        }
        let isTruthful = device.fault == .none && appStore.deviceClockOffset == 0
        if isTruthful, random.chance(40) {
            // A late read of before may still be running. It ends when time passes, and so does this one.
            let reads = Recorder<StoreEntitlements>()
            Task { [store] in reads.record(await store.entitlements.refresh()) }
            try await store.settled()
            if let read = reads.elements.first {
                lastTruthfulRead = appStore.now
                if let wrong = try await wrongAccess(read) { violation = "\(wrong) is active, and isn't owned" }
            }
        }
        let isConfirmed = appStore.now.timeIntervalSince(lastTruthfulRead) < 34 * 86_400
        guard !device.fault.isLie, appStore.deviceClockOffset <= 0, isConfirmed, !isReceipt else { return known = [] }
        // The loop may be behind, so the checkpoint uses the last answer. An unknown one says that the customer may own
        // more.
        let answer = store.entitlements.latest
        guard answer.basis != .unknown else { return }
        let active = answer.productIDs
        let lost = known.intersection(self.truth).subtracting(active)
        if !lost.isEmpty { violation = "\(lost.sorted()) is lost" }
        known = active.intersection(self.truth)
    }

    /// The products with access that the customer doesn't own. A renewal may be late, so a period that has just ended
    /// is no wrong access.
    private func wrongAccess(_ read: StoreEntitlements) async throws -> [String]? {
        var entitlements = read
        if isReceipt {
            // A receipt from the end of a period has no renewal yet. The next reads decide.
            try await store.advance(by: 90)
            entitlements = store.entitlements.latest
        }
        let truth = truth.union(undelivered)
        let wrong = entitlements.active.filter { entitlement in
            !truth.contains(entitlement.productID)
                && entitlement.accessEndDate.map { $0 < appStore.now.addingTimeInterval(-400) || $0 > appStore.now }
                    ?? true
        }
        return wrong.isEmpty ? nil : wrong.map(\.description)
    }

    /// Ends all faults, and waits. Nothing happens that the store could observe but the end of periods.
    private func conclude() async throws {
        story.append("checkpoint")
        device.fault = .none
        // StoreKit 1 doesn't report that a subscription has ended early.
        if appStore.deviceClockOffset != 0 || isReceipt {
            appStore.deviceClockOffset = 0
            store.refreshPendingState()
        }
        try await store.advance(by: Self.recovery)
        var answer = store.entitlements.latest
        if answer.productIDs != truth || answer.basis != .confirmed {
            // A period may have ended within the last minutes.
            let isEnding = (appStore.allSubscriptionStatuses().compactMap(\.transaction.expirationDate)).contains {
                abs($0.timeIntervalSince(appStore.now)) < Self.recovery
            }
            if isEnding { try await store.advance(by: Self.recovery) }
            answer = store.entitlements.latest
        }
        if isReceipt, launch.receipt == nil { return }
        let active = answer.productIDs
        if !truth.isSubset(of: active) {
            violation = "\(truth.subtracting(active).sorted()) is owned and locked: \(answer)"
        } else if !active.isSubset(of: truth.union(undelivered)) {
            violation = "\(active.subtracting(truth).sorted()) is unlocked and not owned: \(answer)"
        } else if answer.basis != .confirmed {
            violation = "the answer isn't confirmed: \(answer)"
        }
    }
}

/// The seeds of the checkpoints. By default, the same hundred are used in every run.
package enum Checkpoints {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isUsual = environment["CHECKPOINTS"] == nil && environment["CHECKPOINT_SEED"] == nil

    /// `CHECKPOINT_SEED`, the first seed; `nil` if only `CHECKPOINTS` is set.
    package static let seed = isUsual ? "1001" : environment["CHECKPOINT_SEED"]
    /// `CHECKPOINTS`, the number of seeds; `nil` if only `CHECKPOINT_SEED` is set.
    package static let count = isUsual ? "100" : environment["CHECKPOINTS"]
}
