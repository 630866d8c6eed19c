import Foundation
import TestHarness

@testable import AsyncStoreKit

/// Plays scripts with the state machine of payments.
///
/// | step | what it does |
/// |---|---|
/// | `enqueue a [gems] [quantity 2]` | a call for a product, by default coins |
/// | `start [at 30] [mark 20]` | gives the next call the slot, if there is one |
/// | `begin a [gems]` | `enqueue`, and `start` for this call |
/// | `cancel a`, `end a`, `deliver a` | ends a call, or its wait for the payment |
/// | `report 11 purchased [of gems] [quantity 2] [at 30]` | a new report of a transaction |
/// | `repeat 11 purchased …` | a report that was received before |
/// | `restored 11 restored …` | a new report during a restore |
/// | `remove 11` | the queue removes a transaction |
/// | `older a` | answers a call with an older transaction |
struct PaymentScript {
    private(set) var machine: PaymentStateMachine
    private(set) var calls = CallNames()
    private var reported = [UInt64: StoreTransaction]()
    /// The calls whose purchases wait for an approval.
    private var pending = [PendingPurchase.ID: CallID]()

    init(responseTimeout: TimeInterval = 30) {
        machine = PaymentStateMachine(responseTimeout: responseTimeout)
    }

    mutating func perform(_ step: Script.Step) -> String? {
        let id = step[0].first?.isLetter == true && !["at", "mark"].contains(step[0]) ? calls.id(step[0]) : nil
        let now = step["at"] == "forever" ? Date.distantFuture : .seconds(step.number("at") ?? 0)
        if let id { return perform(step, id, now) }
        switch step.verb {
        case "start":
            let mark = step.number("mark").map { UInt64($0) } ?? 10
            return calls.name(of: machine.startNext(now: now, mark: mark))
        case "overtaken": return Script.list(machine.submitNext(now: now)?.overtaken.map(\.request.productID) ?? [])
        case "overdue": return Script.list(calls.names(of: machine.takeCallsBehindSilence(now: now).map(\.id)))
        case "turn":
            return machine.nextTurn(now: now).map { Script.text($0.timeIntervalSince(.seconds(0))) } ?? "none"
        case "report": return describe(machine.news(transaction(step), now: now))
        case "repeat": return describe(machine.duplicate(transaction(step), now: now))
        case "restored":
            return describe(machine.report(transaction(step), isNewReport: true, isRestoring: true, now: now))
        case "remove": return describe(machine.remove(.entry(UInt64(step[0]) ?? 0)))
        default: return state(step.verb) ?? step.unknown
        }
    }

    private mutating func perform(_ step: Script.Step, _ id: CallID, _ now: Date) -> String? {
        switch step.verb {
        case "enqueue": machine.enqueue(id, call(step))
        case "begin":
            machine.enqueue(id, call(step))
            if machine.startNext(now: now, mark: step.number("mark").map { UInt64($0) } ?? 10) != id {
                return "the call waits"
            }
        case "end": machine.endWait(of: id)
        case "deliver": machine.beginDelivery(for: id)
        case "mark": machine.markSubmission(of: id, .entry(UInt64(step[1]) ?? 0))
        case "cancel": return "\(machine.cancel(id))"
        case "isSubmitted": return Script.answer(machine.isSubmitted(id))
        case "older": return describe(machine.takePreexisting(for: id)?.older)
        default: return step.unknown
        }
        return nil
    }

    /// A property of the machine.
    private func state(_ name: String) -> String? {
        switch name {
        case "slot": calls.name(of: machine.slot?.id)
        case "product": machine.inFlight?.productID ?? "none"
        case "bound": machine.slot?.bound.map { "\($0.serial)" } ?? "none"
        case "mark": machine.slot?.mark.map { "\($0.serial)" } ?? "none"
        case "candidate": describe(machine.slot?.older)
        case "approvals": Script.list(machine.pendingApprovals.keys.map { "\($0.serial)" }.sorted())
        case "silent": Script.list(machine.silent.map(\.productID))
        case "waiting": "\(machine.waitingCount)"
        case "remembered": "\(remembered(by: machine))"
        default: nil
        }
    }

    private func call(_ step: Script.Step) -> PaymentStateMachine.Call {
        let product = ["", "at", "mark", "quantity"].contains(step[1]) ? "coins" : step[1]
        return .plain(product, quantity: Int(step.number("quantity") ?? 1))
    }

    private mutating func transaction(_ step: Script.Step) -> StoreTransaction {
        let serial = UInt64(step[0]) ?? 0
        guard let state = StoreTransaction.State.allCases.first(where: { "\($0)" == step[1] }) else {
            preconditionFailure("\(step[1]) isn't a state.")
        }
        let transaction = StoreTransaction.entry(
            serial, state, of: step["of"] ?? "coins", quantity: Int(step.number("quantity") ?? 1))
        reported[serial] = transaction
        return transaction
    }

    /// The number of a transaction that is equal to the last report.
    private func describe(_ transaction: StoreTransaction?) -> String {
        guard let transaction else { return "none" }
        let serial = transaction.token.serial
        return transaction == reported[serial] ? "\(serial)" : "\(transaction)"
    }

    private func describe(_ request: PaymentRequest) -> String {
        let plain = PaymentRequest(productID: request.productID, quantity: request.quantity)
        guard request == plain else { return "\(request)" }
        return request.quantity == 1 ? request.productID : "\(request.quantity) \(request.productID)"
    }

    private func style(_ style: Deliverer.CallStyle) -> String { style == .plain ? "" : " as \(style)" }

    private mutating func describe(_ action: PaymentStateMachine.ReportAction) -> String {
        switch action {
        case .answer(let id, let style): return "answers \(calls.name(of: id))\(self.style(style))"
        case .pending(let id, let purchase):
            pending[purchase.id] = id
            return "pending \(calls.name(of: id)) with \(purchase.quantity) \(purchase.productID)"
        case .progress: return "progress"
        case .resolved(let purchase): return "resolved \(calls.name(of: pending[purchase.id]))"
        case .unsolicited: return "unsolicited"
        case .candidate(let id): return "candidate \(calls.name(of: id))"
        }
    }

    private func describe(_ action: PaymentStateMachine.RemovalAction) -> String {
        switch action {
        case .none: "none"
        case .lost(let id, let request): "lost \(calls.name(of: id)) \(describe(request))"
        case .answer(let id, let style, let older):
            "answers \(calls.name(of: id))\(self.style(style)) with \(describe(older))"
        case .approvalLost(let purchase): "approval of \(calls.name(of: pending[purchase.id])) lost"
        }
    }
}
