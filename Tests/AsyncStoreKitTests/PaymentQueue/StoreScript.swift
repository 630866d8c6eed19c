import Foundation
import TestHarness

@testable import AsyncStoreKit

/// Plays scripts with the state machine of a store and the machine of its restores. The result of an event is the
/// actions of the store.
///
/// | step | what it does |
/// |---|---|
/// | `silence 300`, `observing` | another store |
/// | `buy a [gems] [closure] [timeout 5] [at 10]` | a call for a product, by default coins |
/// | `queue a [gems]`, `perform` | a call whose actions are performed later |
/// | `report 21 purchased [of gems] [as paid-11] [at 10]` | a report of a transaction |
/// | `batch 21:purchased 22:restored` | a report of several |
/// | `answers a 21 purchased [of gems] [earlier]`, `unsolicited 21 purchased` | a report of a queue that attributes |
/// | `remove 21`, `unlist 21` | the queue removes a transaction, or its lists lack it |
/// | `close 21 22 [failing]` | the closure of a call ends |
/// | `accept 1`, `reject 1`, `delay 1` | the first delivery ends |
/// | `release 21 [after 5]` | a transaction is to be offered again |
/// | `finish 21`, `finishes x 21`, `finished 21` | a transaction is to be finished, also for a call, or is finished |
/// | `silenceEnds`, `timeout a`, `settles a`, `inactive r`, `retry`, `limit` `[at 30] [newest 20]` | a timer fires |
/// | `background`, `foreground` `[at 10]` | the app moves |
/// | `install`, `slow` | an installed delivery, or a backend that takes time to finish |
/// | `restore r [closure] [partial] [within paid-11]` | a call of restore, or one in the delivery of a purchase |
/// | `rows 11 12:pro 13:pro:a` | restored transactions: numbers, products, and original identifiers |
/// | `signed 11` | a restored transaction of StoreKit 2, under its own number |
/// | `end [failing]`, `cancelRestore r` | the restore, or the wait for it, ends |
struct StoreScript {
    static let failure = StoreError(.networkError, "No network.")
    private static let joke = "A joke card."

    private(set) var store = StoreStateMachine()
    private(set) var restore = RestoreStateMachine()
    private var calls = CallNames()
    private var jobs: [DeliveryStateMachine.Job] = []

    mutating func perform(_ step: Script.Step) -> String? {
        if let seconds = step.number("at") { store.now = .seconds(seconds) }
        let newest = step.number("newest").map { UInt64($0) } ?? 10
        switch step.verb {
        case "silence":
            (store, jobs) = (StoreStateMachine(paymentResponseTimeout: Double(step[0]) ?? 0), [])
            return nil
        case "observing":
            store = StoreStateMachine(mode: .observing)
            return nil
        case "install":
            store.deliveryInstalled()
            return nil
        case "slow":
            store.answers.waitsForFinish = true
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
        case "outstanding": return serials(store.outstandingPurchases.map(\.transaction.token))
        case "outstandingBatch": return serials(store.outstandingBatch.map(\.transaction.token))
        case "pending": return Script.list(store.pendingPurchases.map(\.productID))
        case "submitted": return Script.list(store.payments.submitted.map(\.request.productID))
        case "retries": return "\(store.diagnostics(isRestoring: false).pendingRetries)"
        case "heldAnswers": return "\(store.answers.held.count)"
        case "restoreCalls": return "\(store.restores.calls.count)"
        case "finish":
            let token = TransactionToken.entry(UInt64(step[0]) ?? 0)
            if case .failure(let error) = store.finish(token) { return describe(error) }
            return actions(newest: 10)
        default: return perform(event: step) ? actions(newest: newest) : step.unknown
        }
    }

    private mutating func actions(newest: UInt64) -> String {
        let forgotten = store.actions.flatMap { action -> [TransactionToken] in
            if case .forget(let tokens) = action { tokens } else { [] }
        }
        let actions = store.perform(newest: newest)
        let words =
            (forgotten.isEmpty ? [] : ["forget \(serials(forgotten))"]) + actions.flatMap { describe($0) }
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
            restore.rowsReported(store.transactionsReported([transaction(step, 0)], during: restore.phase))
        case "answers": store.paymentAnswered(id, with: transaction(step, 1), isPreexisting: step.has("earlier"))
        case "unsolicited": store.unsolicitedReported([transaction(step, 0)])
        case "finishes":
            let token = TransactionToken.entry(UInt64(step[1]) ?? 0)
            store.finish(token, for: id)
        case "finished": store.finished(serial)
        case "limit": store.fire(.answerLimit)
        case "releaseAnswers": store.releaseAnswers()
        case "batch": _ = store.transactionsReported(step.arguments.map(entry))
        case "rows": restore.rowsReported(store.transactionsReported(step.arguments.map(row), during: restore.phase))
        case "signed": restore.rowsReported(store.restoredReported([signedRow(step[0])], during: restore.phase))
        case "remove": store.remove([serial])
        case "unlist": store.removeUnlisted([serial])
        case "close":
            let tokens = step.arguments.compactMap { UInt64($0) }.map { TransactionToken.entry($0) }
            store.closureEnded(tokens, delivered: !step.has("failing"))
        case "cancel": store.cancelPurchase(id)
        case "release": store.release(serial, after: step.number("after"))
        case "silenceEnds": store.fire(.paymentSilence)
        case "timeout": store.fire(.paymentTimeout(id))
        case "settles": store.fire(.preexistingAnswer(id))
        case "inactive": store.fire(.restoreInactivity(id))
        case "retry": store.fire(.deliveryRetry)
        case "background": store.appMoved(isInBackground: true)
        case "foreground": store.appMoved(isInBackground: false)
        case "restore":
            _ = restore.restoreRequested(id)
            store.restoreStarted(
                id,
                .init(
                    applicationUsername: nil, style: step.has("closure") ? .closure : .plain,
                    takesPartial: step.has("partial")))
            store.restores.calls[id]?.enclosing = Set([step["within"]].compactMap(\.self))
        case "end": store.restoreEnded(restore.restoreEnded(), failure: step.has("failing") ? Self.failure : nil)
        case "cancelRestore": store.cancelRestore(id, restore.cancel(id))
        case "accept": store.deliveryEnded(job(step), .accepted)
        case "reject": store.deliveryEnded(job(step), .rejected(reason: Self.joke))
        case "delay": store.deliveryEnded(job(step), .retryLater(after: 5))
        default: return false
        }
        return true
    }

    private func call(_ step: Script.Step) -> PaymentStateMachine.Call {
        let product = ["", "at", "closure", "newest", "timeout"].contains(step[1]) ? "coins" : step[1]
        let request = PaymentRequest(productID: product, options: PurchaseOptions(timeout: step.number("timeout")))
        return .init(request: request, style: step.has("closure") ? .closure : .plain)
    }

    /// Returns the transaction whose number is at a position, before its state.
    private func transaction(_ step: Script.Step, _ position: Int) -> StoreTransaction {
        let state = StoreTransaction.State.allCases.first { "\($0)" == step[position + 1] } ?? .purchasing
        var transaction = StoreTransaction.entry(UInt64(step[position]) ?? 0, state, of: step["of"] ?? "coins")
        transaction.report.id = step["as"] ?? transaction.id
        return transaction
    }

    private func job(_ step: Script.Step) -> CallID { jobs[(Int(step[0]) ?? 0) - 1].id }

    private func entry(_ text: String) -> StoreTransaction {
        let parts = text.split(separator: ":")
        return .entry(UInt64(parts[0]) ?? 0, parts.last == "restored" ? .restored : .purchased)
    }

    private func signedRow(_ number: String) -> StoreTransaction {
        var row = StoreTransaction.entry(UInt64(number) ?? 0, .restored)
        row.report.signedText = SignedText(id: number, jws: { "" }, payload: { Data() })
        return row
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
                switch report {
                case .purchase(let record):
                    "offer \(numbers([record]))\(record.cause == .unsolicited ? "" : " \(record.cause)")"
                        + (record.pendingPurchase == nil ? "" : " approved")
                case .failure(let failure, let record):
                    "fail \(failure.transaction.token.serial): \(describe(failure.error))"
                        + (record == nil ? "" : " in a batch")
                case .batchOnly: nil
                }
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
        // The policy spreads the pauses.
        case .start(.deliveryRetry, let seconds): "retry \(Script.text(seconds.rounded()))"
        case .start(let timer, let seconds): "\(describe(timer)) \(Script.text(seconds))"
        case .stop(let timer): "stop \(describe(timer))"
        case .log(let event): event.level >= .notice ? "\(event.level)" : nil
        case .sendPendingPurchases(let pending): "pending \(Script.list(pending.map(\.productID)))"
        case .answer(let id, let error): "\(calls.name(of: id)): \(error.map(describe) ?? "finished")"
        case .report, .control: nil
        case .startRestore, .forget, .returnBackgroundTime: nil
        }
    }

    private mutating func describe(_ job: DeliveryStateMachine.Job, _ records: [PurchaseRecord]) -> String {
        jobs.append(job)
        let others = job.tokens == records.map(\.transaction.token) ? "" : " of \(serials(job.tokens))"
        let again = records.contains(where: \.isRedelivery) ? " again" : ""
        return
            "deliver \(numbers(records))\(again) \(job.cause)\(others)\(job.attempt == 0 ? "" : " attempt \(job.attempt)")"
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
        case StoreError(.deliveryRejected, Self.joke): "a joke"
        default: "\(error.code)"
        }
    }

    private func serials(_ tokens: [TransactionToken]) -> String { Script.list(tokens.map { "\($0.serial)" }) }

    /// The numbers of transactions, with marks of those that are older than the payment, or delivered.
    private func numbers(_ records: [PurchaseRecord]) -> String {
        let numbers = records.map { record in
            let marks = (record.isPreexisting ? " older" : "") + (record.isHandledElsewhere ? " delivered" : "")
            return "\(record.transaction.token.serial)\(marks)"
        }
        return numbers.isEmpty ? "nothing" : numbers.joined(separator: " and ")
    }
}
