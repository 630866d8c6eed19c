import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Random histories of customers: purchases, renewals, refunds and families, on devices that flicker, lag, fail and
/// answer wrongly.
@Suite(.bounded) struct EntitlementScheduleTests {
    private static let seed =
        ProcessInfo.processInfo.environment["ENTITLEMENT_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64.max)

    @Test func `a signed purchase that hasn't lapsed, been revoked or upgraded is never reported as lost, at any step`()
        async throws
    {
        print("Customers' lives: ENTITLEMENT_SEED=\(Self.seed)")
        for number in UInt64(0)..<20 {
            let life = CustomerLife(seed: Self.seed &+ number)
            try await life.play(steps: 25)
            #expect(
                life.violations.isEmpty,
                "life \(number): \(life.violations.first ?? "") after \(life.story.joined(separator: ", "))")
        }
    }
}

private final class CustomerLife {
    private var random: ScheduleGenerator
    private let world: EntitlementWorld
    private let seen = Recorder<StoreEntitlements>()
    /// The products that the app may unlock, by the values of its loop.
    private var known: Set<String> = []
    /// The products that were bought, here or on another device. StoreKit 1 reports a change to a lower product as a
    /// purchase of that product at first.
    private var asked: Set<String> = []
    /// Since when the device hasn't listed anything that verifies.
    private var unconfirmedSince: Date?
    private(set) var story: [String] = []
    private(set) var violations: [String] = []

    private enum Step: CaseIterable {
        case buy, buyElsewhere, refund, cancel, resume, expire, share, unshare
        case moment, day, aroundTheEnd, read, readCancelled
        case statuses, emptyList, unverified, offline, flicker, lag, retry, grace, restore
    }

    init(seed: UInt64) {
        random = ScheduleGenerator(seed: seed)
        world = EntitlementWorld(.demanding)
        let entitlements = world.store.entitlements
        Task { [seen] in for await value in entitlements { seen.record(value) } }
    }

    func play(steps: Int) async throws {
        for _ in 0..<steps {
            guard let step = Step.allCases.randomElement(using: &random) else { continue }
            let product = EntitlementWorld.products.randomElement(using: &random)?.productID ?? "pro"
            story.append("\(step) \(product)")
            await play(step, product)
            let isUnconfirmed =
                world.appStore.behavior.entitlementsAreEmpty || world.appStore.behavior.transactionsAreUnverified
            unconfirmedSince = isUnconfirmed ? unconfirmedSince ?? world.appStore.now : nil
            check(world.store.entitlements.latest)
            check(await world.refreshed())
        }
        // The loop received no invented product either.
        for value in seen.elements
        where !value.productIDs.isSubset(of: asked.union(world.appStore.allTransactions().map(\.productID))) {
            violations.append("the loop was told of \(value.productIDs)")
        }
    }

    private func play(_ step: Step, _ product: String) async {
        let appStore = world.appStore
        // Steps that aren't possible are skipped.
        switch step {
        case .buy:
            asked.insert(product)
            try? await world.buy(product)
        case .buyElsewhere:
            asked.insert(product)
            try? appStore.buyProduct(productID: product)
        case .refund: try? appStore.refund(product)
        case .cancel: try? appStore.disableAutoRenew(of: product)
        case .resume: try? appStore.enableAutoRenew(of: product)
        case .expire: try? appStore.expireSubscription(productID: product)
        case .share: try? appStore.shareInFamily(product)
        case .unshare: try? appStore.revokeFamilySharing(of: product)
        case .moment: appStore.advance(by: Double(Int.random(in: 1...30, using: &random)) / 10)
        case .day: appStore.advance(by: Double(Int.random(in: 1...20, using: &random)) * 86_400)
        case .aroundTheEnd: advanceToAnEnd()
        case .read: _ = await world.refreshed()
        case .readCancelled: await readCancelled()
        case .statuses: appStore.behavior.statusError = appStore.behavior.statusError == nil ? .unknown : nil
        case .emptyList: appStore.behavior.entitlementsAreEmpty.toggle()
        case .unverified: appStore.behavior.transactionsAreUnverified.toggle()
        case .offline: appStore.behavior.isOffline.toggle()
        case .flicker:
            appStore.behavior.renewalVisibilityDelay = appStore.behavior.renewalVisibilityDelay == 0 ? 0.7 : 0
        case .lag: appStore.behavior.listingLag = appStore.behavior.listingLag == 0 ? 1 : 0
        case .retry: appStore.behavior.shouldEnterBillingRetryOnRenewal.toggle()
        case .grace: appStore.behavior.billingGracePeriodIsEnabled.toggle()
        case .restore: if !appStore.behavior.isOffline { _ = try? await world.store.restore { _ in } }
        }
    }

    private func advanceToAnEnd() {
        guard let end = world.store.entitlements.latest.nextChange else { return }
        let moment = Double(Int.random(in: -5...10, using: &random)) / 10
        world.appStore.advance(by: end.addingTimeInterval(moment).timeIntervalSince(world.appStore.now))
    }

    private func readCancelled() async {
        let store = world.store
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = await store.entitlements.refresh()
        }
        await task.value
    }

    /// The purchases that the App Store would still sign: paid, not revoked, not upgraded, and not over.
    ///
    /// A purchase that nothing has confirmed for 30 days counts as lapsed, unless it's a subscription whose status can
    /// be read. A subscription of which the device neither lists the transaction nor says the status, and a renewal
    /// that it doesn't show yet, stay out, and so does a period that another one of the same subscription has replaced.
    /// The refund of a purchase without an end applies to all transactions with the same original transaction.
    private var stands: Set<String> {
        let appStore = world.appStore
        let now = appStore.now
        let readsSubscriptions = !appStore.behavior.entitlementsAreEmpty || appStore.behavior.statusError == nil
        let isConfirmed = unconfirmedSince.map { now.timeIntervalSince($0) <= 30 * 86_400 } ?? true
        let periods = Set(appStore.allSubscriptionStatuses().map(\.transaction.transactionID))
        let transactions = appStore.allTransactions()
        let refunded = Set(
            transactions.filter { $0.revocationDate != nil && $0.expirationDate == nil }
                .compactMap(\.originalTransactionID))
        let records = transactions.filter { record in
            guard record.state == .purchased, record.kind != .consumable, record.revocationDate == nil,
                !record.isUpgraded, record.originalTransactionID.map(refunded.contains) != true
            else { return false }
            guard let end = record.expirationDate, let start = record.purchaseDate else { return isConfirmed }
            return end > now && readsSubscriptions && (!record.isRenewal || start.addingTimeInterval(1) < now)
                && periods.contains(record.transactionID)
        }
        return Set(records.map(\.productID))
    }

    private func check(_ entitlements: StoreEntitlements) {
        // A renewal while nothing verifies has no valid signature, as far as the app can see.
        if world.appStore.behavior.transactionsAreUnverified {
            known = []
            return
        }
        let lost = known.intersection(stands).subtracting(entitlements.productIDs)
        if !lost.isEmpty { violations.append("\(lost.sorted()) is reported as lost") }
        let invented = entitlements.productIDs.subtracting(asked).subtracting(
            world.appStore.allTransactions().map(\.productID))
        if !invented.isEmpty { violations.append("\(invented.sorted()) was never bought") }
        known = entitlements.productIDs
    }
}
