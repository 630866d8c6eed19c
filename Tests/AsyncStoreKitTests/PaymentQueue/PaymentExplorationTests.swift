import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentExplorationTests {
    @Test
    func `after any inputs, payments are serial unless they are silent, in order, and each call is answered once`()
        async
    {
        await explore("PaymentStateMachine", PaymentModel(), depth: 5)
    }
}

/// A payment machine that is driven as a store drives it, with a queue that answers, is silent, or loses payments.
private struct PaymentModel: ExploredModel {
    enum Input {
        case enqueue(String)
        case cancel(Int)
        /// StoreKit is silent for this long.
        case pass(TimeInterval)
        /// The queue reports the state of a payment that it has.
        case report(Int, StoreTransaction.State)
        case remove(Int)
        /// An unsolicited transaction.
        case unsolicited
    }

    private enum Phase: Equatable {
        case waiting, submitted, pending, ended
    }

    private struct Call {
        let product: String
        var phase: Phase
        var lastResponse = Date.seconds(0)
    }

    /// The queue's state of a payment.
    private struct Payment {
        let call: Int
        let product: String
        var entry: UInt64?
        var state: StoreTransaction.State?
    }

    private static let ids = (0..<3).map { _ in CallID() }

    private(set) var machine = PaymentStateMachine(responseTimeout: 30)
    private var now = Date.seconds(0)
    private var calls: [Call] = []
    private var payments: [Payment] = []
    private var lastSerial: UInt64 = 10

    private func calls(_ phase: Phase) -> [Int] {
        calls.indices.filter { calls[$0].phase == phase }
    }

    var inputs: [Input] {
        var inputs: [Input] = []
        if calls.count < Self.ids.count { inputs += [.enqueue("coins"), .enqueue("gems")] }
        inputs += calls.indices.filter { calls[$0].phase != .ended }.map(Input.cancel)
        if !calls(.submitted).isEmpty {
            inputs += [.pass(30), .pass(300)]
            if lastSerial == 10 { inputs.append(.unsolicited) }
        }
        for (index, payment) in payments.enumerated() {
            switch payment.state {
            case nil: inputs += [.report(index, .purchasing), .report(index, .purchased), .report(index, .deferred)]
            case .purchasing: inputs += [.report(index, .failed), .remove(index)]
            case .deferred: inputs += [.report(index, .purchased), .remove(index)]
            case .purchased, .failed, .restored: break
            }
        }
        return inputs
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .enqueue(let product):
            machine.enqueue(Self.ids[calls.count], .plain(product))
            calls.append(Call(product: product, phase: .waiting))
        case .cancel(let call): try cancel(call)
        case .pass(let seconds): now += seconds
        case .report(let index, let state): try report(index, state)
        case .remove(let index): try remove(index)
        case .unsolicited:
            lastSerial += 1
            // A purchase on another device, which differs only in the user name.
            let transaction = StoreTransaction.entry(lastSerial, .purchased, username: "ada")
            try promise(
                machine.report(transaction, isNewReport: true, isRestoring: false, now: now) == .unsolicited,
                "it answered a payment")
        }
        try submit()
    }

    private mutating func cancel(_ call: Int) throws(BrokenPromise) {
        let expected: PaymentStateMachine.CancelAction =
            switch calls[call].phase {
            case .waiting: .withdraw
            case .submitted: .abandon
            case .pending, .ended: .none
            }
        let action = machine.cancel(Self.ids[call])
        try promise(action == expected, "the cancellation of a call that is \(calls[call].phase) is \(action)")
        if calls[call].phase != .pending { calls[call].phase = .ended }
    }

    private mutating func report(_ index: Int, _ state: StoreTransaction.State) throws(BrokenPromise) {
        if payments[index].entry == nil {
            lastSerial += 1
            payments[index].entry = lastSerial
        }
        payments[index].state = state
        let transaction = StoreTransaction.entry(payments[index].entry ?? 0, state, of: payments[index].product)
        switch machine.report(transaction, isNewReport: true, isRestoring: false, now: now) {
        case .answer(let id, .plain): try end(id, .ended, with: payments[index])
        case .pending(let id, let pending):
            try promise(pending.productID == payments[index].product, "another product is pending")
            try end(id, .pending, with: payments[index])
        case .progress:
            guard state == .purchasing, let heard = machine.submitted.first(where: { $0.bound == transaction.token })
            else { break }
            if let call = Self.ids.firstIndex(of: heard.id) { calls[call].lastResponse = now }
        case .resolved(let pending):
            try promise(pending.productID == payments[index].product, "another purchase was approved")
        case .unsolicited, .candidate:
            // No call waits for it, or it can't be distinguished from the answer to an equal payment whose call was
            // canceled.
            let isAlone = payments.count { $0.product == payments[index].product } == 1
            try promise(!isAlone || calls[payments[index].call].phase != .submitted, "a call was not given its answer")
        case .answer(_, .closure): throw BrokenPromise(message: "it answered a call with a closure")
        }
    }

    private mutating func remove(_ index: Int) throws(BrokenPromise) {
        let payment = payments.remove(at: index)
        switch machine.remove(.entry(payment.entry ?? 0)) {
        case .none: break
        case .lost(let id, let request):
            try promise(request.productID == payment.product, "another payment was lost")
            try end(id, .ended, with: payment)
        case .answer(let id, _, let older):
            try promise(older.productID == payment.product, "the call was answered with another product")
            try end(id, .ended, with: payment)
        case .approvalLost(let pending):
            try promise(payment.state == .deferred && pending.productID == payment.product, "another approval was lost")
        }
    }

    /// Answers a call, once. Equal calls are answered in their order.
    private mutating func end(_ id: CallID, _ phase: Phase, with payment: Payment) throws(BrokenPromise) {
        guard let call = Self.ids.firstIndex(of: id) else {
            throw BrokenPromise(message: "an unknown call was answered")
        }
        try promise(calls[call].phase == .submitted, "a call that is \(calls[call].phase) was answered")
        try promise(calls[call].product == payment.product, "a call was answered with another product")
        calls[call].phase = phase
    }

    /// Submits the payments that can be submitted, as a store does after every input.
    private mutating func submit() throws(BrokenPromise) {
        while let submission = machine.submitNext(now: now) {
            guard let call = Self.ids.firstIndex(of: submission.payment.id) else {
                throw BrokenPromise(message: "a payment without a call")
            }
            try promise(calls[call].phase == .waiting, "a call that is \(calls[call].phase) was submitted")
            for other in calls(.submitted) {
                let silence = now.timeIntervalSince(calls[other].lastResponse)
                try promise(
                    silence >= (calls[other].product == calls[call].product ? 300 : 30),
                    "a payment was submitted beside one that isn't silent")
            }
            for earlier in 0..<call {
                let mayPass = calls[earlier].phase != .waiting || isHeldBack(earlier)
                try promise(
                    mayPass && !(calls[earlier].phase == .waiting && calls[earlier].product == calls[call].product),
                    "it passed another")
            }
            calls[call].phase = .submitted
            calls[call].lastResponse = now
            machine.markSubmission(of: submission.payment.id, .entry(lastSerial))
            payments.append(Payment(call: call, product: submission.payment.request.productID))
        }
        for (id, _) in machine.takeCallsBehindSilence(now: now) {
            guard let call = Self.ids.firstIndex(of: id) else {
                throw BrokenPromise(message: "an unknown call was given up")
            }
            try promise(calls[call].phase == .waiting && isHeldBack(call), "a call was given up that isn't blocked")
            calls[call].phase = .ended
        }
        try checkLine()
    }

    private func isHeldBack(_ waiting: Int) -> Bool {
        calls(.submitted).contains { call in
            let isInQueue = machine.submitted.contains { $0.id == Self.ids[call] && $0.bound != nil }
            return calls[call].product == calls[waiting].product
                && (isInQueue || now.timeIntervalSince(calls[call].lastResponse) < 300)
        }
    }

    private func checkLine() throws(BrokenPromise) {
        let underWay = calls(.submitted)
        try promise(
            Set(machine.submitted.map(\.id)) == Set(underWay.map { Self.ids[$0] }), "the submitted payments are wrong")
        let inLine = calls(.waiting)
        try promise(machine.waitingCount == inLine.count, "\(machine.waitingCount) wait")
        guard underWay.allSatisfy({ now.timeIntervalSince(calls[$0].lastResponse) >= 30 }) else {
            return try promise(
                inLine.isEmpty || machine.nextTurn(now: now) != nil, "no timer gives the slot to the waiting calls")
        }
        try promise(calls(.waiting).isEmpty, "a call waits behind a silent payment")
    }

    mutating func conclude() throws(BrokenPromise) {
        while let index = payments.firstIndex(where: { $0.state != .purchased && $0.state != .failed }) {
            try take(.report(index, .purchased))
        }
        try promise(calls.allSatisfy { $0.phase == .ended || $0.phase == .pending }, "a call was never answered")
    }
}
