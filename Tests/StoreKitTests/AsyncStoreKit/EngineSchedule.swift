import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support

@testable import AsyncStoreKit

/// A random history of an account and an app over one backend, with every report, result and error of the backend as a
/// line. The same seed leads to the same history over every backend.
final class EngineSchedule: Sendable {
    private let appStore: SimulatedAppStore
    private let launch: SimulatedLaunch
    private let backend: any StoreBackend
    private let events = Recorder<QueueEvent>()
    private let reads: Recorder<Void>
    private let isStoreKit2: Bool
    private let continuesIntents: Bool
    private let account = UUID(uuidString: "7A1C3C9E-0B1F-4A0D-9C52-6E0E0C8B2D11") ?? UUID()

    init(seed: UInt64, over engine: EngineUnderTest) {
        var generator = ScheduleGenerator(seed: seed &* 31)
        var behavior = SimulatorBehavior()
        behavior.signsReceipts = false
        behavior.askToBuyEnabled = generator.chance(20)
        behavior.listingLag = generator.chance(30) ? 1 : 0
        behavior.entitlementsListUpgraded = generator.chance(50)
        behavior.historyListsFinishedConsumables = generator.chance(50)
        behavior.returnsExpiredTransaction = generator.chance(30)
        behavior.varyStoreKit2(using: &generator)
        behavior.sendsStorefrontTwice = generator.chance(50)
        continuesIntents = generator.chance(50)
        behavior.bringsFreshObjects = engine.isStoreKit1 && generator.chance(50)
        appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(products: SimulatedCatalog.club.products, behavior: behavior), seed: seed,
            bundleID: "com.example.club")
        launch = appStore.launch()
        isStoreKit2 = !engine.isStoreKit1
        (backend, reads) = engine.makeBackend(launch)
    }

    /// Runs the history and returns its lines.
    func play(seed: UInt64, steps: Int) async throws -> [String] {
        var generator = ScheduleGenerator(seed: seed)
        var lines: [String] = []
        var reported = 0
        backend.activate { [events, backend] event in
            // As a store does: every read reports removed entries until the store forgets them, and the number of
            // completed reads at the end of a step varies.
            if case .unlistedTransactions(let tokens) = event { backend.forget(tokens) }
            // Over StoreKit 1, only the simulated queue says so.
            if case .initialTransactionsReported = event { return }
            events.record(event)
        }
        backend.apply(PaymentQueuePolicies(promotedPurchase: continuesIntents ? .continue : .hold))
        if isStoreKit2 { backend.sheets?.startObservingMessages() }
        try await settle()
        // The first read of the history starts another one in the background, unless it's complete.
        lines.append("history \(try await outcome { try await self.backend.completePurchaseHistory() })")
        let ids = Set(SimulatedCatalog.club.products.map(\.productID) + ["unknown"])
        lines.append("products \(try await outcome { try await self.backend.products(for: ids) })")
        for step in 0..<steps {
            let line =
                generator.chance(33)
                ? generator.play(Step.elsewhere, of: SimulatedCatalog.club.products.map(\.productID), on: appStore)
                : try await take(Step.random(&generator), &generator)
            lines.append("\(step) \(line)")
            try await settle()
            let all = events.elements
            // Only the simulated StoreKit 1 reports the end of a subscription: its app becomes active without an event.
            let new = all[reported...].filter { !$0.isMessage && (isStoreKit2 || !$0.isStatus) }
            // StoreKit doesn't define the order of a status and a transaction. A request for approval ends by a timer.
            let requests = Set(all.flatMap(\.transactions).filter { $0.state == .deferred }.map(\.token))
            let ends = new.filter { $0.isRemoval(of: requests) }
            let others = new.filter { !$0.isStatus && !$0.isRemoval(of: requests) }
            lines += (others + ends + new.filter(\.isStatus)).map { "  \(words(of: $0))" }
            reported = all.count
        }
        lines.append("history \(try await outcome { try await self.backend.completePurchaseHistory() })")
        lines.append("unfinished \(launch.transactions(.unfinished).map(\.number))")
        lines.append("sheets \(launch.presentedSheets)")
        lines.append("storefront \(String(describing: backend.storefront))")
        backend.deactivate()
        return lines
    }

    /// Waits until all past events are reported.
    private func settle() async throws {
        await appStore.waitUntilIdle()
        guard isStoreKit2 else { return }
        // A read begins when the previous read is reported, so the last read reports no new events.
        for _ in 0..<2 {
            let count = reads.elements.count
            backend.refreshPendingState()
            _ = try await reads.first(count + 1)
        }
        // A message is reported after all earlier events.
        let count = events.elements.count
        appStore.showMessage(.generic)
        try await event(after: count, where: \.isMessage)
        await appStore.waitUntilIdle()
    }

    /// Waits until an event is reported after a number of other events.
    private func event(after count: Int, where fits: (QueueEvent) -> Bool) async throws {
        var count = count
        while try await !fits(events.first(count + 1)[count]) { count += 1 }
    }
}

extension EngineSchedule {
    fileprivate enum Step: CaseIterable {
        case buy, finish, finishUnknown, restore, intent, history, eligibility, appTransaction, receipt, sheet, outage

        static func random(_ generator: inout ScheduleGenerator) -> Step {
            generator.chance(65)
                ? [.buy, .buy, .finish, .restore].randomElement(using: &generator) ?? .buy : generator.pick()
        }

        /// What happens outside the app.
        static let elsewhere: [RandomEvent] = [
            .buy, .refund, .share, .unshare, .renewOff, .renewOn, .approve, .decline, .resolve, .offerCode, .raisePrice,
            .seconds, .months, .storefront, .retry, .grace, .signature, .fault,
        ]
    }

    private func take(_ step: Step, _ generator: inout ScheduleGenerator) async throws -> String {
        let product = SimulatedCatalog.club.products.randomElement(using: &generator)?.productID ?? ""
        switch step {
        case .buy: return try await buy(product, &generator)
        case .finish: return try await finish(&generator)
        case .finishUnknown:
            let done = Recorder<Void>()
            backend.finish(TransactionToken(source: 0, serial: 99)) { done.record(()) }
            _ = try await done.first(1)
            return "finish unknown"
        case .restore: return try await restore(&generator)
        case .intent:
            let offer = generator.chance(40) ? "back" : nil
            let count = events.elements.count
            let line: String
            do {
                try appStore.promotePurchase(of: product, winBackOfferID: offer)
                line = "intent \(product)"
            } catch {
                line = "intent \(product): \(error)"
            }
            if isStoreKit2, continuesIntents, line == "intent \(product)", isBuyable(product, offer) {
                // The store submits the payment.
                try await event(after: count, where: \.isIntent)
                for case .promotedPayment(let promotion) in events.elements[count...] {
                    try backend.submit(promotion.request(), as: CallID())
                }
                try await event(after: count, where: \.isAnswer)
            }
            return line
        case .history: return "history \(try await outcome { try await self.backend.purchaseHistory(groups: []) })"
        case .eligibility:
            let group = generator.chance(80) ? "club" : "none"
            return "eligible \(String(describing: await backend.isEligibleForIntroductoryOffer(inGroup: group)))"
        case .appTransaction: return "app \(try await outcome { try await self.backend.appTransaction() })"
        case .receipt:
            if generator.chance(50) { _ = try await outcome { try await self.backend.refreshReceipt() } }
            return "receipt \(try await outcome { try self.backend.receiptData() })"
        case .sheet: return try await present(&generator)
        case .outage:
            appStore.behavior.statusError = generator.chance(40) ? .notConnectedToInternet : nil
            appStore.behavior.productRequestError = generator.chance(40) ? .unknown : nil
            appStore.behavior.receiptRefreshError = generator.chance(40) ? .notConnectedToInternet : nil
            return "outage \(try await outcome { try await self.backend.products(for: ["pro", "none"]) })"
        }
    }

    /// Returns whether a purchase from the App Store is submitted: a win-back offer must belong to the product.
    private func isBuyable(_ product: String, _ offer: String?) -> Bool {
        offer == nil || product == "basic"
    }

    private func buy(_ product: String, _ generator: inout ScheduleGenerator) async throws -> String {
        var payment = PaymentRequest(productID: generator.chance(3) ? "none" : product)
        if generator.chance(20) { payment.options.quantity = Int.random(in: 0...11, using: &generator) }
        if generator.chance(30) { payment.options.account = .token(account) }
        if isStoreKit2, generator.chance(4) { payment.options.account = .username("jane") }
        if generator.chance(10) { payment.options.simulatesAskToBuy = true }
        if generator.chance(20) {
            let id = generator.chance(70) ? "half" : "none"
            let signature = generator.chance(80) ? "c2lnbmVk" : "%"
            let offers: [PurchaseOffer] = [
                .promotional(id: id, keyID: "key", nonce: account, signature: signature, timestamp: 7),
                .promotional(id: id, jws: "a.b.c"), .winBack(id: generator.chance(70) ? "back" : "none"),
            ]
            payment.options.offer = offers.randomElement(using: &generator)
        }
        if generator.chance(5) { payment.options.introductoryOfferEligibilityJWS = "a.b.c" }
        if generator.chance(30) {
            let outcomes: [SimulatedOutcome] = [
                .purchased, .userCancelled, .deferred, .interrupted, .restored, .returnsUnfinishedTransaction,
                .unverified,
                .failed(.unknown), .failed(.notConnectedToInternet), .failed(.purchaseNotAllowed),
                .failed(.unsupported),
                .failed(SimulatedError(domain: "ASDErrorDomain", code: 5)),
            ]
            if let outcome = outcomes.randomElement(using: &generator) {
                appStore.setNextPurchaseOutcome(outcome, for: product)
            }
        }
        let id = CallID()
        do {
            try backend.submit(payment, as: id)
        } catch {
            return "buy \(payment.productID): \(error)"
        }
        if isStoreKit2 {
            _ = try await events.first { $0.answers(id) }
        }
        return "buy \(payment.productID)"
    }

    private func finish(_ generator: inout ScheduleGenerator) async throws -> String {
        let all = events.elements.flatMap(\.transactions).filter { $0.state != .purchasing && $0.state != .deferred }
        guard let transaction = all.randomElement(using: &generator) else { return "finish nothing" }
        let done = Recorder<Void>()
        backend.finish(transaction.token) { done.record(()) }
        _ = try await done.first(1)
        return "finish \(words(of: transaction))"
    }

    private func restore(_ generator: inout ScheduleGenerator) async throws -> String {
        appStore.behavior.restoreEnding =
            generator.chance(80) ? .finishes : .fails(.notConnectedToInternet, afterRows: 0)
        let names: [String?] = [nil, nil, account.uuidString, "jane"]
        let count = events.elements.count
        do {
            try backend.restoreCompletedTransactions(
                applicationUsername: names.randomElement(using: &generator) ?? nil)
        } catch {
            return "restore: \(error)"
        }
        try await event(after: count, where: \.endsRestore)
        return "restore"
    }

    private func present(_ generator: inout ScheduleGenerator) async throws -> String {
        appStore.behavior.refundRequestEnding =
            SimulatorBehavior.RefundRequestEnding.allCases.randomElement(using: &generator) ?? .sent
        let transaction = events.elements.flatMap(\.transactions).randomElement(using: &generator)
        let sheets: [StoreSheet?] = [
            .codeRedemption, .priceConsent, .subscriptionManagement(groupID: "club"), .subscriptionManagement(),
            .message(StoreMessage(reason: .billingIssue)),
            transaction.map { .refundRequest(transactionID: $0.id ?? "") },
        ]
        guard let sheet = sheets.randomElement(using: &generator) ?? nil else { return "no sheet" }
        do {
            _ = try await backend.sheets?.present(sheet, in: nil)
            return "sheet"
        } catch {
            // The message of an unsupported sheet has identifiers of this process.
            return "sheet throws \(error.code == .unsupported ? "unsupported" : "\(error)")"
        }
    }
}

extension EngineSchedule {
    private func outcome<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> String {
        do {
            return words(of: try await body())
        } catch let error as StoreError {
            return "throws \(error) (\(error.localizedDescription))"
        }
    }
}

extension QueueEvent {
    fileprivate var transactions: [StoreTransaction] {
        switch self {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch):
            batch
        case .answeredPayment(_, let transaction, _): [transaction]
        case .revokedEntitlements(let revocation): revocation.transactions
        default: []
        }
    }

    fileprivate var isMessage: Bool {
        if case .message = self { true } else { false }
    }

    fileprivate var isStatus: Bool {
        if case .entitlementsMayHaveChanged = self { true } else { false }
    }

    fileprivate func isRemoval(of tokens: Set<TransactionToken>) -> Bool {
        if case .removedTransactions(let removed) = self { tokens.isSuperset(of: removed) } else { false }
    }

    fileprivate var isAnswer: Bool {
        if case .answeredPayment = self { true } else { false }
    }

    fileprivate var isIntent: Bool {
        if case .promotedPayment = self { true } else { false }
    }

    fileprivate func answers(_ id: CallID) -> Bool {
        if case .answeredPayment(id, _, _) = self { true } else { false }
    }

    fileprivate var endsRestore: Bool {
        switch self {
        case .restoreFinished, .restoreFailed: true
        default: false
        }
    }
}

/// A backend for schedules.
enum EngineUnderTest: CaseIterable {
    case storeKit1, simulatedStoreKit1, storeKit2, simulatedStoreKit2

    var isStoreKit1: Bool { self == .storeKit1 || self == .simulatedStoreKit1 }

    /// Returns the backend and a recorder of its reads.
    func makeBackend(_ launch: SimulatedLaunch) -> (any StoreBackend, Recorder<Void>) {
        let reads = Recorder<Void>()
        let environment: any StoreKit2Environment
        switch self {
        case .storeKit1: return (StoreKit1Backend(environment: StoreKit1Environment(launch: launch)), reads)
        case .simulatedStoreKit1: return (SimulatedBackend(launch: launch, engine: .storeKit1), reads)
        case .storeKit2: environment = SystemStoreKit2(launch: launch, clock: SimulatedClock(launch.store))
        case .simulatedStoreKit2: environment = SimulatedStoreKit2(launch)
        }
        var timing = StoreKit2Backend.Timing()
        timing.restorePause = { _ in }
        return (StoreKit2Backend(environment: RecordingReads(next: environment, reads: reads), timing: timing), reads)
    }
}

/// An environment that records each read of the unfinished transactions.
private struct RecordingReads: RelayEnvironment {
    let next: any StoreKit2Environment
    let reads: Recorder<Void>

    func unfinished() async -> [StoreKit2SignedTransaction] {
        let unfinished = await next.unfinished()
        reads.record(())
        return unfinished
    }
}
