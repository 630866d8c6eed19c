import AppStoreSimulator
import Foundation
import TestHarness

/// Plays scripts with a simulated App Store and an app that observes the queue.
///
/// | step | what it does |
/// |---|---|
/// | `own pro` | the account buys a product, and the app is launched again |
/// | `outcome deferred [for coins]` | the outcome of the next payment |
/// | `pay coins [quantity 10]` | the app adds a payment |
/// | `run` | performs all events that are due, and returns what the observer received since the last `run` |
/// | `buy monthly` | `pay` and `run`, without a result |
/// | `advance 31` | days pass |
/// | `expire monthly`, `force monthly`, `resolve` | a control of the store, which may throw an error |
/// | `products`, `ends`, `trials`, … | a property of every transaction in the account's history |
struct SimulatorScript {
    private let store = SimulatedAppStore.stepped()
    private var launch: SimulatedLaunch
    private let observer: RecordingObserver
    private var seen = 0

    /// - Parameter finishes: Whether the app finishes transactions.
    init(finishes: Bool) {
        launch = store.launch()
        observer = finishes ? .finishing() : RecordingObserver()
        launch.add(observer)
    }

    mutating func perform(_ step: Script.Step) throws -> String? {
        switch step.verb {
        case "own":
            store.own(step[0])
            launch = store.launch()
            launch.add(observer)
        case "forbid": store.behavior.canMakePayments = false
        case "fail":
            store.behavior.failTransactionsEnabled = true
            if step.has("paymentCancelled") { store.behavior.failureError = .paymentCancelled }
        case "succeed": store.behavior.failTransactionsEnabled = false
        case "hidePurchasing": store.behavior.reportsPurchasing = false
        case "restoreRepeated": store.behavior.repeatedPurchaseResult = .restored
        case "declineRenewals": store.behavior.shouldEnterBillingRetryOnRenewal = !step.has("no")
        case "endWithRefund": store.behavior.refundEndsSubscription = true
        case "withdraw": store.catalog.products.removeAll { $0.productID == step[0] }
        case "outcome": try setOutcome(step)
        case "pay": launch.add(payment(step))
        case "buy":
            launch.add(payment(step))
            store.runUntilIdle()
            seen = observer.log.count
        case "advance": store.advance(by: (Double(step[0]) ?? 0) * 86_400)
        case "refund": try store.refund(step[0])
        case "renew":
            return subscription(step[0]) {
                step.has("no") ? try store.disableAutoRenew(of: $0) : try store.enableAutoRenew(of: $0)
            }
        case "expire": return subscription(step[0]) { try store.expireSubscription(productID: $0) }
        case "force": return subscription(step[0]) { try store.forceRenewalOfSubscription(productID: $0) }
        case "resolve":
            guard let id = store.allTransactions().first?.id else { return "no transaction" }
            return error("Transaction \(id) was not interrupted and has no billing problem.") {
                try store.resolveIssueForTransaction(id: id)
            }
        case "run": return run()
        default: return property(step)
        }
        return nil
    }

    private func payment(_ step: Script.Step) -> SimulatedPayment {
        SimulatedPayment(productID: step[0] == "nothing" ? "" : step[0], quantity: Int(step.number("quantity") ?? 1))
    }

    private func setOutcome(_ step: Script.Step) throws {
        let outcomes: [String: SimulatedOutcome] = [
            "purchased": .purchased, "failed": .failed(.unknown), "deferred": .deferred, "restored": .restored,
            "removed": .removed, "older": .returnsUnfinishedTransaction,
        ]
        guard let outcome = outcomes[step[0]] else { throw SimulatedError.unsupported }
        if let product = step["for"] {
            store.setNextPurchaseOutcome(outcome, for: product)
        } else {
            store.setNextPurchaseOutcome(outcome)
        }
    }

    /// Returns the kind of a control's error, if the error has this message.
    private func error(_ message: String, of control: () throws -> Void) -> String {
        do {
            try control()
            return "done"
        } catch let error as SimulatorError {
            return error.message == message ? "\(error.code)" : error.message
        } catch {
            return "\(error)"
        }
    }

    /// Performs a control of a subscription.
    private func subscription(_ product: String, _ control: (String) throws -> Void) -> String {
        error("The account has no active subscription to \"\(product)\".") { try control(product) }
    }

    private mutating func run() -> String {
        store.runUntilIdle()
        defer { seen = observer.log.count }
        let errors: [SimulatedError: String] = [
            .unknown: "unknown", .paymentCancelled: "paymentCancelled", .purchaseNotAllowed: "purchaseNotAllowed",
            .storeProductNotAvailable: "storeProductNotAvailable",
        ]
        let words = zip(observer.events, observer.log).map { event, word in
            var word = word.replacing("updated ", with: "").replacing(":", with: " ")
            if case .updatedTransactions(let transactions) = event {
                for error in transactions.compactMap(\.error) { word += " \(errors[error] ?? "\(error)")" }
            }
            return word
        }
        return Script.list(words.dropFirst(seen))
    }

    private func property(_ step: Script.Step) -> String {
        func list(_ word: (SimulatedHistoryRecord) -> String) -> String {
            Script.list(store.allTransactions().map(word))
        }
        switch step.verb {
        case "products": return list(\.productID)
        case "quantities": return list { "\($0.quantity)" }
        case "ends": return list { day($0.expirationDate) }
        case "begins": return list { day($0.purchaseDate) }
        case "revoked": return list { day($0.revocationDate) }
        case "trials": return list { Script.answer($0.isTrialPeriod) }
        case "renews": return list { Script.answer($0.willAutoRenew) }
        case "originals":
            guard let first = store.allTransactions().first?.transactionID else { return "no transaction" }
            return list { $0.originalTransactionID == first ? "first" : "another" }
        case "reasons":
            return Script.list(store.allRenewals().map { "\($0.expirationReason.map { "\($0)" } ?? "none")" })
        case "today": return day(store.now)
        case "isIdle": return Script.answer(!store.step())
        case "misuses": return Script.list(store.misuses.map { "\($0)" })
        case "queue": return Script.list(launch.transactions.map(\.payment.productID))
        case "canMakePayments": return Script.answer(launch.canMakePayments)
        default: return step.unknown
        }
    }

    /// The day of a date, with the time after midnight, which is rare.
    private func day(_ date: Date?) -> String {
        date.map { ISO8601DateFormatter().string(from: $0).replacing("T00:00:00Z", with: "") } ?? "none"
    }
}
