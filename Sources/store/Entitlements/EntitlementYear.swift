import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// Plays a script in a simulated App Store, and reads the entitlements once a day.
struct EntitlementYear {
    private let appStore: SimulatedAppStore
    private let store: PurchaseStore
    private let script: EntitlementScript
    /// The products that the customer buys on their monthly plan.
    private let committed: Set<String>

    /// The duration of non-renewing subscriptions, in days.
    static let nonRenewingDays = 90
    private static let day: TimeInterval = 86_400

    init(_ catalog: SimulatedCatalog, _ script: EntitlementScript, _ plans: MonthlyPlans) {
        self.script = script
        committed = plans.isOn ? Set(MonthlyPlans.products(in: catalog).map(\.productID)) : []
        appStore = SimulatedAppStore(catalog: catalog)
        // This command verifies nothing, and signatures take time.
        appStore.behavior.signsReceipts = false
        appStore.behavior.timeRate = .realTime
        let seasons = catalog.products.filter { $0.kind == .nonRenewingSubscription }.map(\.productID)
        let durations = Dictionary(
            seasons.map { ($0, Double(Self.nonRenewingDays) * Self.day) }, uniquingKeysWith: { first, _ in first })
        store = PurchaseStore(
            backend: SimulatedBackend(appStore), configuration: StoreConfiguration(nonRenewingDurations: durations))
    }

    /// Plays the script.
    /// - Throws: ``CommandFailure`` if an event of the script is impossible.
    func play() async throws(CommandFailure) -> EntitlementTimeline {
        var timeline = EntitlementTimeline(start: appStore.now, steps: script.steps)
        let lastDay = max(365, (script.steps.last?.day ?? 0) + 7)
        for day in 0...lastDay {
            for step in script.steps where step.day == day { try await play(step) }
            timeline.add(await store.entitlements.refresh())
            do {
                try await store.advance(by: Self.day)
            } catch {
                throw CommandFailure(.failure, "Day \(day) doesn't end: \("\(error)".asSentence)")
            }
        }
        return timeline
    }

    private func play(_ step: EntitlementScript.Step) async throws(CommandFailure) {
        let product = step.productID ?? ""
        do {
            switch step.action {
            case .buy:
                let options: PurchaseOptions = committed.contains(product) ? [.billingPlan(.monthly)] : []
                try await store.purchase(product, options: options) { _ in }
            case .cancel: try appStore.disableAutoRenew(of: product)
            case .resume: try appStore.enableAutoRenew(of: product)
            case .lapse: try appStore.expireSubscription(productID: product)
            case .refund: try appStore.refund(product)
            case .share: try appStore.shareInFamily(product)
            case .unshare: try appStore.revokeFamilySharing(of: product)
            case .declinePayments: appStore.behavior.shouldEnterBillingRetryOnRenewal = true
            case .acceptPayments: try acceptPayments()
            case .gracePeriod: appStore.behavior.billingGracePeriodIsEnabled = true
            }
        } catch {
            throw CommandFailure(
                .failure, "\(step.place): \(step.action.rawValue) \(product) is impossible: \("\(error)".asSentence)")
        }
        await appStore.waitUntilIdle()
    }

    /// Renews all subscriptions whose payment was declined.
    private func acceptPayments() throws {
        appStore.behavior.shouldEnterBillingRetryOnRenewal = false
        for renewal in appStore.allRenewals() where renewal.isInBillingRetry {
            try appStore.resolvePurchase(of: renewal.productID)
        }
    }
}
