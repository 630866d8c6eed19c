import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentApprovalTests {
    /// A machine with one approval pending, for the transaction 11.
    private func deferred() throws -> (PaymentStateMachine, PendingPurchase) {
        var machine = PaymentStateMachine()
        let id = machine.begin(PaymentRequest(productID: "coins", quantity: 3), mark: 10)
        guard case .pending(id, let pending) = machine.news(.entry(11, .deferred, quantity: 3)) else {
            throw StoreError(.unknown, "The call didn't return a pending purchase.")
        }
        return (machine, pending)
    }

    @Test func `a deferred payment returns the pending purchase to its call, and frees the slot`() throws {
        let (machine, pending) = try deferred()
        expectEqual(pending.productID, "coins")
        expectEqual(pending.quantity, 3)
        expectEqual(machine.slot, nil)
        expectEqual(machine.pendingApprovals, [.entry(11): pending])
    }

    @Test func `a payment can be deferred after it was purchasing`() throws {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        guard case .pending(let call, let pending) = machine.news(.entry(11, .deferred)) else {
            Issue.record("The call didn't return a pending purchase.")
            return
        }
        expectEqual(call, id)
        expectEqual(machine.pendingApprovals, [.entry(11): pending])
    }

    @Test(arguments: [StoreTransaction.State.purchased, .failed, .restored])
    func `the outcome resolves the approval, once`(state: StoreTransaction.State) throws {
        var (machine, pending) = try deferred()
        expectEqual(machine.news(.entry(11, state, quantity: 3)), .resolved(pending))
        #expect(machine.pendingApprovals.isEmpty)
        expectEqual(machine.news(.entry(11, state, quantity: 3)), .unsolicited)
    }

    @Test(arguments: [StoreTransaction.State.deferred, .purchasing])
    func `without an outcome the approval isn't resolved`(state: StoreTransaction.State) throws {
        var (machine, pending) = try deferred()
        expectEqual(machine.news(.entry(11, state, quantity: 3)), .progress)
        expectEqual(machine.pendingApprovals, [.entry(11): pending])
    }

    @Test func `a removal before the outcome loses the approval, once`() throws {
        var (machine, pending) = try deferred()
        expectEqual(machine.remove(.entry(11)), .approvalLost(pending))
        #expect(machine.pendingApprovals.isEmpty)
        expectEqual(machine.remove(.entry(11)), .none)
    }

    @Test func `an approval doesn't answer the equal payment that has the slot by then`() throws {
        var (machine, pending) = try deferred()
        let second = machine.begin(PaymentRequest(productID: "coins", quantity: 3), mark: 11)
        expectEqual(machine.news(.entry(11, .purchased, quantity: 3)), .resolved(pending))
        expectEqual(machine.slot?.id, second)
        expectEqual(machine.slot?.older, nil)
        expectEqual(machine.news(.entry(12, .purchased, quantity: 3)), .answer(second, .plain))
    }

    @Test func `several approvals are resolved, each by its own transaction`() throws {
        var (machine, first) = try deferred()
        let id = machine.begin(mark: 11)
        guard case .pending(id, let second) = machine.news(.entry(12, .deferred)) else {
            Issue.record("The second call didn't return a pending purchase.")
            return
        }
        #expect(first != second)
        #expect(first.id != second.id)
        expectEqual(machine.news(.entry(12, .failed)), .resolved(second))
        expectEqual(machine.news(.entry(11, .purchased, quantity: 3)), .resolved(first))
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `a canceled call doesn't return a pending purchase, and its approval is unsolicited`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        expectEqual(machine.cancel(id), .abandon)
        expectEqual(machine.news(.entry(11, .deferred)), .unsolicited)
        expectEqual(machine.news(.entry(11, .purchased)), .unsolicited)
        expectEqual(remembered(by: machine), 0)
    }
}
