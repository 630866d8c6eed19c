import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Checks that the same history leads to the same entitlements with every engine.
@Suite(.bounded) struct EntitlementHistoryTests {
    private static let count = ProcessInfo.processInfo.environment["HISTORIES"].flatMap { Int($0) } ?? 60
    private static let seed =
        ProcessInfo.processInfo.environment["HISTORY_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)

    /// A receipt keeps an earlier period that overlaps with one that a test ends. The App Store refunds a period
    /// instead.
    private static let eventsInReceipts = RandomEvent.history.filter { $0 != .expire }

    private func entitlements(_ history: PurchaseListing, at date: Date) -> [StoreEntitlement] {
        var machine = EntitlementStateMachine(
            durations: ["season": 86_400 * 30], timing: EntitlementTiming(lapse: 0, renewalDelay: 0))
        for case .read(let read) in machine.start(at: date) { _ = machine.readEnded(read, .success(history), at: date) }
        return machine.entitlements.all
    }

    private func entitlements(_ backend: some StoreBackend, at date: Date) async throws -> [StoreEntitlement] {
        entitlements(try await .verified(backend.completePurchaseHistory(), backend.historyTrust), at: date)
    }

    /// The fields that a receipt contains, too. A receipt has no renewals, groups and families, and reports an upgrade
    /// as a cancellation. It therefore can't prefer the customer's own purchase to another one with a later end. It has
    /// another end of an upgraded purchase, by which it chooses among purchases without access. A refund cancels every
    /// row of a non-consumable.
    private struct InReceipt: Equatable {
        let productID: String
        let kind: ProductKind
        let isEntitled: Bool
        let isTakenBack: Bool
        let periodEnd: Date?

        /// - Parameters:
        ///   - isUnpaid: Whether the App Store is retrying the payment, which a receipt doesn't contain: another
        ///     subscription may decide.
        ///   - isShared: Whether another customer has paid for a purchase of the product.
        ///   - isOnly: Whether there is one purchase of the product.
        init(_ entitlement: StoreEntitlement, isUnpaid: Bool, isShared: Bool, isOnly: Bool) {
            productID = entitlement.productID
            kind = entitlement.productKind
            isEntitled = entitlement.isEntitled && !isUnpaid && (isOnly || kind != .nonConsumable)
            isTakenBack = !isUnpaid && isOnly && (entitlement.state == .revoked || entitlement.state == .upgraded)
            let isComparable = entitlement.isEntitled ? isOnly || !isShared : isOnly && entitlement.state == .expired
            periodEnd = isUnpaid || !isComparable ? nil : entitlement.accessEndDate
        }
    }

    @Test func `the simulator, StoreKit 2 and a receipt entitle to the same`() async throws {
        print("Histories: HISTORY_SEED=\(Self.seed), \(Self.count) of them")
        var states: [SubscriptionState: Int] = [:]
        for number in 0..<Self.count {
            let hasReceipt = number.isMultiple(of: 2)
            var behavior = hasReceipt ? SimulatorBehavior() : .demanding
            behavior.signsReceipts = false
            let world = StoreKit2World(behavior)
            (world.appStore.catalog.products, world.appStore.storefront) = (
                SimulatedCatalog.clubWithPlans.products, SimulatedCatalog.clubWithPlans.storefront
            )
            var random = ScheduleGenerator(seed: Self.seed &+ UInt64(number))
            let events = (0..<12).map { _ in
                // Of two purchases in one moment, none is the newer one.
                world.appStore.advance(by: 1)
                return random.play(hasReceipt ? Self.eventsInReceipts : RandomEvent.history, on: world.appStore)
            }
            let context = "history \(number): \(events.joined(separator: ", "))"
            let now = world.appStore.now
            let simulated = try await entitlements(SimulatedBackend(launch: world.launch), at: now)
            let backend = StoreKit2Backend(environment: SystemStoreKit2(launch: world.launch))
            let listing = try await PurchaseListing.verified(backend.completePurchaseHistory(), backend.historyTrust)
            let signed = entitlements(listing, at: now)
            expectEqual(simulated, signed, "\(context)")
            for entitlement in signed { states[entitlement.state, default: 0] += 1 }
            // A receipt has the state of its creation; StoreKit 2 has the current state, which may be a temporary
            // expiry.
            guard hasReceipt, let file = world.launch.receipt else { continue }
            let contents = try Receipt.unverified(pkcs7: file)
            let counts = Dictionary(contents.transactions.map { ($0.productID, 1) }, uniquingKeysWith: +)
            let receipt = entitlements(PurchaseListing(contents), at: now)
            let unpaid = Set(
                signed.filter { $0.state == .inGracePeriod || $0.state == .inBillingRetryPeriod }.map(\.productID))
            let shared = Set(listing.transactions.map(\.facts).filter(\.isPaidByOthers).map(\.productID))
            func fields(_ all: [StoreEntitlement]) -> [InReceipt] {
                all.map {
                    InReceipt(
                        $0, isUnpaid: unpaid.contains($0.productID), isShared: shared.contains($0.productID),
                        isOnly: counts[$0.productID] == 1)
                }
            }
            expectEqual(fields(receipt), fields(signed), "\(context)")
            await Task.yield()
        }
        print(
            "States: \(states.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
        #expect(Self.count < 60 || states.count >= 3, "the histories have something to tell")
    }
}
