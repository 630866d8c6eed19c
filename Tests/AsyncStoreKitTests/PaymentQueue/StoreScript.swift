import Foundation
import TestHarness

@testable import AsyncStoreKit

/// Plays scripts with the state machine of a store and the machine of its restores. The result of an event is the
/// actions of the store.
///
/// | step | what it does |
/// |---|---|
/// | `silence 300` | another store, at the beginning of a script |
/// | `buy a [gems] [timeout 5] [at 10]` | a call for a product, by default coins |
/// | `queue a [gems]`, `perform` | a call whose actions are performed later |
/// | `report 21 purchased [of gems] [at 10]` | a report of a transaction |
/// | `remove 21` | the queue removes a transaction |
/// | `silenceEnds`, `timeout a`, `settles a` `[at 30] [newest 20]` | a timer fires |
/// | `background`, `foreground` `[at 10]` | the app moves |
/// | `install` | an installed delivery |
/// | `restore r [closure] [partial]` | a call of restore |
/// | `rows 11 12:pro 13:pro:a` | restored transactions: numbers, products, and original identifiers |
/// | `end [failing]`, `cancelRestore r` | the restore, or the wait for it, ends |
struct StoreScript {
    static let failure = StoreError(.networkError, "No network.")

    private(set) var store = StoreStateMachine()
    private(set) var restore = RestoreStateMachine()
    private var calls = CallNames()
    private var jobs: [DeliveryStateMachine.Job] = []

    mutating func perform(_ step: Script.Step) -> String? {
        if let seconds = step.number("at") { store.now = .seconds(seconds) }
        let newest = step.number("newest").map { UInt64($0) } ?? 10
        switch step.verb {
        case "silence":
            store = StoreStateMachine(paymentResponseTimeout: Double(step[0]) ?? 0)
            return nil
        case "install":
            store.deliveryInstalled()
            return nil
        case "queue":
            store.purchase(calls.id(step[0]), call(step))
            return nil
        case "terminate":
            store.termination = StoreError(.backendUnavailable, "")
            return nil
        case "silent": return Script.list(store.payments.silent.map(\.productID))
        case "inFlight": return store.payments.inFlight?.productID ?? "none"
        case "isSubmitted": return Script.answer(store.payments.isSubmitted(calls.id(step[0])))
        case "held": return Script.list(store.diagnostics(isRestoring: false).held.map { "\($0.reason)" })
        case "outstanding": return Script.list(store.outstandingPurchases.map { "\($0.transaction.token.serial)" })
        case "restoreCalls": return "\(store.restoreCalls.count)"
        case "finish":
            let token = TransactionToken.entry(UInt64(step[0]) ?? 0)
            if case .failure(let error) = store.finish(token, newest: token) { return describe(error) }
            return actions(newest: newest)
        default: return perform(event: step) ? actions(newest: newest) : step.unknown
        }
    }

    private mutating func actions(newest: UInt64) -> String {
        let actions = store.perform(newest: newest)
        let words = actions.flatMap { describe($0) }
        return words.isEmpty && !actions.isEmpty ? "no visible action" : Script.list(words)
    }

    /// Returns `false` for an unknown event.
    private mutating func perform(event step: Script.Step) -> Bool {
        let id = calls.id(step[0])
        let serial = TransactionToken.entry(UInt64(step[0]) ?? 0)
        switch step.verb {
        case "buy": store.purchase(id, call(step))
        case "perform": break
        case "report":
            let states = StoreTransaction.State.allCases
            let state = states.first { "\($0)" == step[1] } ?? .purchasing
            let transaction = StoreTransaction.entry(serial.serial, state, of: step["of"] ?? "coins")
            restore.rowsReported(store.transactionsReported([transaction], during: restore.phase))
        case "rows": restore.rowsReported(store.transactionsReported(step.arguments.map(row), during: restore.phase))
        case "remove": store.remove([serial])
        case "cancel": store.cancelPurchase(id)
        case "silenceEnds": store.fire(.paymentSilence)
        case "timeout": store.fire(.paymentTimeout(id))
        case "settles": store.fire(.preexistingAnswer(id))
        case "background": store.appMoved(isInBackground: true)
        case "foreground": store.appMoved(isInBackground: false)
        case "restore":
            _ = restore.restoreRequested(id)
            store.restoreStarted(
                id,
                .init(
                    applicationUsername: nil, style: step.has("closure") ? .closure : .plain,
                    takesPartial: step.has("partial")))
        case "end": store.restoreEnded(restore.restoreEnded(), failure: step.has("failing") ? Self.failure : nil)
        case "cancelRestore": store.cancelRestore(id, restore.cancel(id))
        case "accept": store.deliveryEnded(jobs[(Int(step[0]) ?? 0) - 1].id, .accepted)
        default: return false
        }
        return true
    }

    private func call(_ step: Script.Step) -> PaymentStateMachine.Call {
        let product = ["", "at", "newest", "timeout"].contains(step[1]) ? "coins" : step[1]
        let options = PurchaseOptions(timeout: step.number("timeout"))
        return .init(request: PaymentRequest(productID: product, options: options), style: .plain)
    }

    private func row(_ text: String) -> StoreTransaction {
        let parts = text.split(separator: ":").map(String.init)
        var row = StoreTransaction.entry(UInt64(parts[0]) ?? 0, .restored, of: parts.count > 1 ? parts[1] : "coins")
        if parts.count > 2 { row.report.original = StoreTransaction.Original(id: parts[2], purchaseDate: nil) }
        return row
    }
}

extension StoreScript {
    private mutating func describe(_ action: StoreAction) -> [String] {
        if case .report(let reports) = action {
            return reports.compactMap { report in
                if case .purchase(let record) = report { "offer \(numbers([record]))" } else { nil }
            }
        }
        return describe(single: action).map { [$0] } ?? []
    }

    private mutating func describe(single action: StoreAction) -> String? {
        switch action {
        case .submit(let payment): "submit \(payment.request.productID)"
        case .release(let id): "release \(calls.name(of: id))"
        case .finish(let token): "finish \(token.serial)"
        case .respond(let id, let result): "\(calls.name(of: id)): \(describe(result))"
        case .respondToRestore(let id, .failure(let error)): "\(calls.name(of: id)): \(describe(error))"
        case .respondToRestore(let id, .success(let response)):
            "\(calls.name(of: id)): \(numbers(response.records)) \(response.failure.map { describe($0) } ?? "")"
                .trimmingCharacters(in: .whitespaces)
        case .deliver(let job, let records): describe(job, records)
        case .start(let timer, let seconds): "\(describe(timer)) \(Script.text(seconds))"
        case .stop(let timer): "stop \(describe(timer))"
        case .log(let event): event.level >= .warning ? "\(event.level)" : nil
        case .report, .sendPendingPurchases, .control, .answer: nil
        case .startRestore, .forget, .returnBackgroundTime: nil
        }
    }

    private mutating func describe(_ job: DeliveryStateMachine.Job, _ records: [PurchaseRecord]) -> String {
        jobs.append(job)
        let others = job.tokens == records.map(\.transaction.token) ? "" : " of \(job.tokens)"
        return "deliver \(numbers(records)) \(job.cause)\(others)"
    }

    private func describe(_ timer: StoreTimer) -> String {
        switch timer {
        case .paymentTimeout(let id): "timeout of \(calls.name(of: id))"
        case .preexistingAnswer(let id): "settling of \(calls.name(of: id))"
        case .paymentSilence: "silence"
        case .restoreInactivity(let id): "inactivity of \(calls.name(of: id))"
        case .deliveryRetry: "retry"
        case .unfinishedWarning: "unfinished"
        case .answerLimit: "answer"
        }
    }

    private func describe(_ result: PaymentResult) -> String {
        switch result {
        case .success(.paid(let record)): numbers([record])
        case .success(.pending): "pending"
        case .success(.userCancelled): "canceled"
        case .failure(let error): describe(error)
        }
    }

    private func describe(_ error: StoreError) -> String {
        switch error {
        case Self.failure: "no network"
        case .cancelled("the restore"): "canceled"
        case .cancelled("the delivery of a restore"): "canceled delivery"
        default: "\(error.code)"
        }
    }

    /// The numbers of transactions, with marks of those that are older than the payment, or delivered.
    private func numbers(_ records: [PurchaseRecord]) -> String {
        let numbers = records.map { record in
            let marks = (record.isPreexisting ? " older" : "") + (record.isDelivered ? " delivered" : "")
            return "\(record.transaction.token.serial)\(marks)"
        }
        return numbers.isEmpty ? "nothing" : numbers.joined(separator: " and ")
    }
}
