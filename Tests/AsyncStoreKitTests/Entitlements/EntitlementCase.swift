import AppReceipt
import AppStoreSimulator
import Foundation
import Support

@testable import AsyncStoreKit

/// A random history of a customer, seen by an app whose device answers badly, and whose clock may be wrong.
///
/// The machine runs without a store, so the seed determines every step.
struct EntitlementCase {
    /// How the device answers.
    private enum Fault: CaseIterable {
        case none, empty, partial, stale, failing, slow, statusesFail, onlyStatuses, everythingFails
    }

    private enum Engine {
        case storeKit1, storeKit2
    }

    private let appStore: SimulatedAppStore
    private var random: ScheduleGenerator
    private var histories: EntitlementHistories
    private var launch: SimulatedLaunch
    private var engine = Engine.storeKit2
    private var run: EntitlementRun
    private var fault = Fault.none
    /// The seconds by which the device's clock is ahead of the App Store's.
    private var offset: TimeInterval = 0
    /// What earlier reads listed.
    private var listings: [[SimulatedSignedTransaction]] = []
    private var reported: Set<String> = []
    /// The original transactions that this launch has seen.
    private var shown: Set<String> = []
    private var cache = EntitlementHistory()
    /// The products that were active at the last step, and whether a complete and correct read listed them.
    private var known: Set<String> = []
    /// The time since when the device has answered badly, and of the last good answer.
    private var faultBegan: Date?
    private var lastGoodRead = Date.distantPast
    /// Whether a list silently lacked something since the last good answer.
    private var hasBeenLied = false
    /// Every purchase that the customer ever had.
    private var everOwned: Set<String> = []
    private(set) var story: [String] = []
    private(set) var violation: String?

    init(seed: UInt64) {
        var behavior = SimulatorBehavior()
        behavior.signsReceipts = false
        var catalog = SimulatedCatalog(products: EntitlementWorld.products, behavior: behavior)
        EntitlementHistories.addLaterProducts(to: &catalog)
        appStore = SimulatedAppStore(catalog: catalog, seed: seed, pacing: .manual)
        random = ScheduleGenerator(seed: seed)
        histories = EntitlementHistories(seed: seed &+ 1)
        launch = appStore.launch()
        run = EntitlementRun(EntitlementStateMachine(hasCache: true))
        start()
    }

    private var now: Date { appStore.now.addingTimeInterval(offset) }

    mutating func play(steps: Int) {
        for _ in 0..<steps where violation == nil {
            step()
            check()
        }
        heal()
    }

    private mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<5: askToBuy()
        case 5..<35:
            story += histories.play(1, on: appStore)
            reportNews(wakes: true)
        case 35..<60: setFault(Fault.allCases.randomElement(using: &random) ?? .none)
        case 60..<70: ask()
        case 70..<85: pass(Double(Int.random(in: 1...40, using: &random)))
        case 85..<90: pass(Double(Int.random(in: 1...40, using: &random)) * 86_400)
        case 90..<95: relaunch()
        default: setClock()
        }
    }

    /// A child asks for a purchase, or a parent answers.
    private mutating func askToBuy() {
        let product = ["pro", "filters", "season", "magazine"].randomElement(using: &random) ?? "pro"
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            launch.add(SimulatedPayment(productID: product, simulatesAskToBuyInSandbox: true))
            story.append("ask to buy \(product)")
        case 1:
            story.append("\((try? appStore.approvePurchase(of: product)) == nil ? "no " : "")approval of \(product)")
        default:
            story.append("\((try? appStore.declinePurchase(of: product)) == nil ? "no " : "")refusal of \(product)")
        }
        appStore.runUntilIdle()
        reportNews(wakes: true)
    }

    private mutating func setFault(_ fault: Fault) {
        story.append("\(fault)")
        let isGood = fault == .none || fault == .slow
        faultBegan = isGood ? nil : faultBegan ?? appStore.now
        self.fault = fault
    }

    private mutating func setClock() {
        offset = offset == 0 ? [-40.0, -0.01, 0.01, 40].randomElement(using: &random).map { $0 * 86_400 } ?? 0 : 0
        story.append("clock \(offset)")
        // The system reports a change of the clock.
        perform { $0.changed(at: $1) }
    }

    private mutating func relaunch() {
        // An update of the app may change its engine. Only StoreKit 2's texts can be saved.
        engine = random.chance(15) ? .storeKit1 : .storeKit2
        let keeps = random.chance(60)
        story.append("relaunch \(engine) \(keeps ? "with the cache" : "without")")
        cache = keeps ? run.evidence : EntitlementHistory()
        cache.latestSignedDate = cache.transactions.compactMap(\.value.signedDate).max()
        cache.customerID = cache.transactions.customerID
        // A clock that was ahead doesn't count, and the newest signature may be older than the last read.
        if offset != 0, let signed = cache.latestSignedDate { lastGoodRead = min(lastGoodRead, signed) }
        launch = appStore.launch()
        run = EntitlementRun(EntitlementStateMachine(hasCache: true))
        (known, listings) = ([], [])
        shown = Set(cache.transactions.map(\.value.originalTransactionID))
        start()
    }

    private mutating func start() {
        let cache = cache
        perform { $0.start(at: $1) }
        perform { $0.loaded(cache, doubts: [], at: $1) }
    }

    private mutating func ask() {
        story.append("ask")
        perform { $0.refresh(CallID(), at: $1) }
    }

    /// Reports some of the new transactions, as Apple signed them.
    private mutating func reportNews(wakes: Bool = false) {
        let news = launch.transactions(.all).filter {
            reported.insert("\($0.number) \($0.record.revocationDate != nil)").inserted
        }
        guard wakes || !news.isEmpty else { return }
        guard engine == .storeKit2, !news.isEmpty, random.chance(60) else { return perform { $0.changed(at: $1) } }
        let statements = news.map(Self.statement)
        shown.formUnion(statements.map(\.value.originalTransactionID))
        perform { $0.receive(statements, isPaidHere: false, at: $1) }
    }

    /// Lets time pass, and reads the device when the machine requests it.
    private mutating func pass(_ seconds: TimeInterval) {
        story.append("\(seconds) s")
        let end = appStore.now.addingTimeInterval(seconds)
        // A suspended device reads less often, and long spans would be many reads.
        var reads = 0
        while let wake = run.nextWake, wake.addingTimeInterval(-offset) <= end, reads < 40 {
            advance(to: wake.addingTimeInterval(-offset))
            perform { $0.woke(at: $1) }
            reads += 1
        }
        advance(to: end)
        reportNews(wakes: reads == 40)
    }

    private func advance(to date: Date) {
        if date > appStore.now { appStore.advance(by: date.timeIntervalSince(appStore.now)) }
    }

    private mutating func perform(
        _ decide: (inout EntitlementStateMachine, Date) -> [EntitlementStateMachine.Action]
    ) {
        let now = now
        run.perform { decide(&$0, now) }
        var reads = 0
        while let read = run.reading, reads < 10 {
            reads += 1
            run.endReading()
            let result = answer(read.groups)
            if fault == .slow { appStore.advance(by: Double(Int.random(in: 1...20, using: &random))) }
            let ended = self.now
            run.perform { $0.ended(read, result, at: ended) }
        }
    }

    // MARK: The device

    private mutating func answer(_ groups: Set<String>) -> Result<EntitlementHistory, StoreError> {
        if fault == .none || fault == .slow { (lastGoodRead, hasBeenLied) = (appStore.now, false) }
        if fault == .partial || fault == .stale { hasBeenLied = true }
        if fault == .everythingFails { return .failure(StoreError(.timedOut, "")) }
        if engine == .storeKit1 {
            guard let file = launch.receipt, let receipt = try? Receipt(pkcs7: file) else {
                return .failure(StoreError(.receiptUnavailable, ""))
            }
            shown.formUnion(receipt.transactions.map(\.originalTransactionID))
            return .success(EntitlementHistory(receipt))
        }
        var history = SignedPurchaseHistory()
        let all = launch.transactions(.all)
        let current = launch.transactions(.currentEntitlements)
        listings.append(current)
        let listed = listed(current)
        history.transactions = listed.map(Self.statement)
        history.past = all.map(Self.statement)
        let missing = Set(listings.joined().map(\.record.productID)).subtracting(listed.map(\.record.productID))
        history.latest = missing.sorted().compactMap { launch.latestTransaction(of: $0) }.map(Self.statement)
        if fault == .failing { history.failure = StoreError(.unknown, "") }
        if fault == .statusesFail {
            history.failure = StoreError(.unknown, "")
        } else {
            addStatuses(groups, all, &history)
        }
        shown.formUnion((history.transactions + history.subscriptions).map(\.value.originalTransactionID))
        return .success(EntitlementHistory(history))
    }

    private mutating func listed(_ current: [SimulatedSignedTransaction]) -> [SimulatedSignedTransaction] {
        switch fault {
        case .empty, .onlyStatuses: return []
        case .partial: return current.filter { _ in random.chance(50) }
        case .stale: return listings.dropLast(2).last ?? []
        case .failing: return current.filter { _ in random.chance(70) }
        case .none, .slow, .statusesFail, .everythingFails: return current
        }
    }

    private func addStatuses(
        _ groups: Set<String>, _ all: [SimulatedSignedTransaction], _ history: inout SignedPurchaseHistory
    ) {
        if fault == .empty { return }
        for group in groups.union(all.compactMap(\.record.groupID)).sorted() {
            for status in (try? launch.statuses(inGroup: group)) ?? [] {
                let statement = Self.statement(status.transaction)
                history.subscriptions.append(statement)
                history.statuses.append(
                    SubscriptionStatusReport(
                        groupID: group, state: Self.state(status), productID: statement.value.productID,
                        transactionID: statement.value.transactionID,
                        originalTransactionID: statement.value.originalTransactionID))
                if let info = try? SignedRenewalInfo(payload: status.renewalText.payload),
                    let renewal = ReceiptRenewal(info)
                {
                    history.renewals.append(SignedStatement(renewal, text: { status.renewalText.jws }))
                }
            }
        }
    }

    private static func statement(_ transaction: SimulatedSignedTransaction) -> SignedStatement<ReceiptTransaction> {
        guard let info = try? SignedTransactionInfo(payload: transaction.text.payload) else {
            fatalError("The payload of \(transaction.number) isn't a transaction.")
        }
        return SignedStatement(ReceiptTransaction(info), text: { transaction.text.jws })
    }

    private static func state(_ status: SimulatedSignedStatus) -> ReceiptSubscriptionState {
        switch status.state {
        case .subscribed: .subscribed
        case .expired: .expired
        case .inBillingRetry: .inBillingRetryPeriod
        case .inGracePeriod: .inGracePeriod
        case .revoked: .revoked
        }
    }

    // MARK: The oracle

    /// The products that the customer may use, by the App Store's own records.
    private func truth() -> Set<String> {
        guard engine == .storeKit1 else {
            return Set(
                launch.transactions(.currentEntitlements).map(\.record).filter { $0.kind != .consumable }.map(
                    \.productID))
        }
        // A receipt doesn't contain grace periods, and contains family-shared purchases beside the customer's own.
        let rows = launch.receipt.flatMap { try? Receipt(pkcs7: $0) }?.transactions ?? []
        let owned = rows.filter {
            $0.isValid && $0.productKind != .consumable && $0.expirationDate.map { $0 > appStore.now } ?? true
        }
        return Set(owned.map(\.productID))
    }

    private mutating func check() {
        let truth = truth()
        everOwned.formUnion(truth)
        let active = run.entitlements.productIDs
        let invented = active.subtracting(everOwned).subtracting(launch.transactions(.all).map(\.record.productID))
        if !invented.isEmpty { violation = "\(invented.sorted()) was never bought" }
        // Short faults that end nothing by the rules. An incomplete list without an error, an older list, and a clock
        // that is ahead are believed for as long as they last.
        let isHarmless = [.none, .empty, .failing, .slow, .statusesFail, .onlyStatuses, .everythingFails].contains(
            fault)
        // Access that has not been confirmed for a month ends after some more empty reads.
        let isConfirmed = appStore.now.timeIntervalSince(lastGoodRead) < 29 * 86_400
        let isNew = faultBegan.map { appStore.now.timeIntervalSince($0) < 80 } ?? true
        if isHarmless, isConfirmed || isNew, offset <= 0 {
            var lost = known.intersection(truth).subtracting(active)
            // One of several purchases of a product was revoked, and the device doesn't show the others.
            lost = lost.filter { ![.revoked, .upgraded].contains(run.entitlements[$0]?.state) && isShown($0) }
            if !isConfirmed {
                let subscriptions = launch.transactions(.all).map(\.record).filter {
                    $0.kind == .autoRenewableSubscription
                }
                lost.subtract(subscriptions.map(\.productID))
            }
            if !lost.isEmpty { violation = "\(lost.sorted()) is lost" }
            known = active
        } else {
            known = []
        }
    }

    /// Whether the device has shown a purchase of a product that the customer may use.
    private func isShown(_ productID: String) -> Bool {
        launch.transactions(.all).map(\.record).contains { record in
            record.productID == productID && record.revocationDate == nil && !record.isUpgraded
                && record.originalTransactionID.map(shown.contains) ?? false
        }
    }

    /// From now on, the device answers correctly. The entitlements are correct within the longest pause and a renewal's
    /// delay.
    private mutating func heal() {
        guard violation == nil else { return }
        if offset != 0 { setClock() }
        // A list that silently lacked something isn't noticed, and neither is a device that listed nothing several
        // times and has more now. The next event causes a read, such as the app's return to the foreground.
        let isUnknown = fault == .empty && run.entitlements.active.isEmpty
        fault = .none
        story.append("healed")
        if hasBeenLied || isUnknown { perform { $0.changed(at: $1) } }
        for _ in 0..<3 where engine == .storeKit2 || launch.receipt != nil {
            pass(RereadPolicy().laterPause + 1)
        }
        let truth = truth()
        // The cache of a launch over StoreKit 2 may know a grace period, which the receipt doesn't.
        let inGrace = appStore.allSubscriptionStatuses().filter { $0.state == .inGracePeriod }.map(
            \.transaction.productID)
        let active = run.entitlements.productIDs.filter { id in
            engine == .storeKit2 || run.entitlements[id]?.state != .inGracePeriod || !inGrace.contains(id)
        }
        guard engine == .storeKit2 || launch.receipt != nil else { return }
        // A device that lists nothing is believed after a month.
        if truth.isEmpty, run.entitlements.doubts == [.emptyHistory] { return }
        if active != truth { violation = "\(active.sorted()) is active, and \(truth.sorted()) is owned" }
        if !run.entitlements.doubts.isEmpty { violation = "\(run.entitlements.doubts) stands" }
        if run.entitlements.basis != .confirmed { violation = "the basis is \(run.entitlements.basis)" }
    }
}
