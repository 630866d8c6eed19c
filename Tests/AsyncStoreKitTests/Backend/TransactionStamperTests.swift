import AsyncStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct TransactionStamperTests {
    private let coins = PaymentRequest(productID: "coins")

    /// Stamps an object while these objects are in the queue.
    private func stamp(
        _ stamper: inout TransactionStamper<String>, _ object: String, id: String? = nil,
        payment: PaymentRequest? = nil,
        beside queue: [String] = []
    ) -> TransactionToken {
        stamper.token(for: object, transactionID: id, payment: payment ?? coins, queue: { queue + [object] })
    }

    @Test func `a new object never stands for a failed entry, so that every failure can answer a payment`() {
        var stamper = TransactionStamper<String>()
        let failed = stamper.token(for: "A", transactionID: nil, payment: coins, hasFailed: true, queue: { ["A"] })
        let retry = stamp(&stamper, "retry")
        #expect(retry > failed)
        expectEqual(
            stamper.token(for: "fresh", transactionID: nil, payment: coins, hasFailed: true, queue: { ["fresh"] }),
            retry)
        #expect(
            stamper.token(for: "again", transactionID: nil, payment: coins, hasFailed: true, queue: { ["again"] })
                > retry)
    }

    @Test func `a failed entry that leaves with a new object is forgotten, and the next failure is another entry`() {
        var stamper = TransactionStamper<String>()
        let failed = stamper.token(for: "A", transactionID: nil, payment: coins, hasFailed: true, queue: { ["A"] })
        expectEqual(stamper.remove("fresh", transactionID: nil, payment: coins, hasFailed: true), failed)
        expectEqual(stamper.count, 0)
        #expect(stamper.token(for: "B", transactionID: nil, payment: coins, hasFailed: true, queue: { ["B"] }) > failed)
    }

    @Test func `an object keeps its token, and every new object has a greater one`() {
        var stamper = TransactionStamper<String>()
        let nothing = stamper.newest
        let first = stamp(&stamper, "A", id: "1")
        let second = stamp(&stamper, "B", id: "2")
        #expect(nothing < first)
        #expect(first < second)
        expectEqual(stamp(&stamper, "A", id: "1"), first)
        expectEqual(stamp(&stamper, "B", id: "2"), second)
        expectEqual(stamper.newest, second)
        expectEqual(stamper.count, 2)
    }

    @Test func `an object that gets an identifier later keeps its token`() {
        var stamper = TransactionStamper<String>()
        let token = stamp(&stamper, "A")
        expectEqual(stamp(&stamper, "A", id: "1"), token)
        expectEqual(stamp(&stamper, "fresh", id: "1", beside: ["A"]), token)
    }

    @Test func `a new object with a known identifier stands for the known entry`() {
        var stamper = TransactionStamper<String>()
        let token = stamp(&stamper, "A", id: "1")
        expectEqual(stamp(&stamper, "fresh", id: "1"), token)
        expectEqual(stamper.object(for: token), "fresh")
        expectEqual(stamper.count, 1)
        expectEqual(stamper.newest, token)
    }

    @Test func `the same product under another identifier is another entry`() {
        var stamper = TransactionStamper<String>()
        let first = stamp(&stamper, "A", id: "1")
        #expect(stamp(&stamper, "B", id: "2") != first)
    }

    @Test func `a new object without an identifier replaces an equal one that has left the queue`() {
        var stamper = TransactionStamper<String>()
        let token = stamp(&stamper, "A")
        expectEqual(stamp(&stamper, "fresh"), token)
        expectEqual(stamper.object(for: token), "fresh")
        expectEqual(stamp(&stamper, "fresher", id: "1"), token, "also if it has its identifier by then")
    }

    @Test func `a second object for an equal payment is a separate entry while the first is in the queue`() {
        var stamper = TransactionStamper<String>()
        let first = stamp(&stamper, "A")
        let second = stamp(&stamper, "B", beside: ["A"])
        #expect(first < second)
        expectEqual(stamper.count, 2)
    }

    @Test func `an entry with an identifier isn't replaced by an equal payment`() {
        var stamper = TransactionStamper<String>()
        let first = stamp(&stamper, "A")
        _ = stamp(&stamper, "A", id: "1")
        #expect(stamp(&stamper, "B") != first)
    }

    @Test(arguments: [
        PaymentRequest(productID: "gems"),
        PaymentRequest(productID: "coins", quantity: 2),
        PaymentRequest(productID: "coins", applicationUsername: "ada"),
    ])
    func `a new object for another payment is another entry`(payment: PaymentRequest) {
        var stamper = TransactionStamper<String>()
        let first = stamp(&stamper, "A")
        #expect(stamp(&stamper, "B", payment: payment) != first)
    }

    @Test func `of several entries that an object can stand for, the oldest is replaced`() {
        var stamper = TransactionStamper<String>()
        let first = stamp(&stamper, "A")
        let second = stamp(&stamper, "B", beside: ["A"])
        expectEqual(stamp(&stamper, "freshA"), first)
        expectEqual(stamp(&stamper, "freshB", beside: ["freshA"]), second)
    }

    @Test func `the queue is read only when it matters`() {
        var stamper = TransactionStamper<String>()
        var looks = 0
        func token(_ object: String, _ id: String?, _ payment: PaymentRequest) -> TransactionToken {
            stamper.token(
                for: object, transactionID: id, payment: payment,
                queue: {
                    looks += 1
                    return [object]
                })
        }
        _ = token("A", nil, coins)
        _ = token("A", "1", coins)
        _ = token("fresh", "1", coins)
        _ = token("B", nil, PaymentRequest(productID: "gems"))
        _ = token("B", nil, PaymentRequest(productID: "gems"))
        expectEqual(looks, 0)
        _ = token("C", nil, PaymentRequest(productID: "gems"))
        expectEqual(looks, 1)
    }
}

// Leaving the queue.
extension TransactionStamperTests {
    @Test func `a removed entry is forgotten, and its token is returned once`() {
        var stamper = TransactionStamper<String>()
        let token = stamp(&stamper, "A", id: "1")
        expectEqual(stamper.remove("A", transactionID: "1"), token)
        expectEqual(stamper.remove("A", transactionID: "1"), nil)
        expectEqual(stamper.object(for: token), nil)
        expectEqual(stamper.count, 0)
        expectEqual(remembered(by: stamper), 0)
    }

    @Test func `an unknown object has no token`() {
        var stamper = TransactionStamper<String>()
        _ = stamp(&stamper, "A", id: "1")
        expectEqual(stamper.remove("B", transactionID: "2"), nil)
        expectEqual(stamper.remove("B", transactionID: nil), nil)
        expectEqual(stamper.count, 1)
    }

    @Test func `an entry can be removed by a new object`() {
        var stamper = TransactionStamper<String>()
        let token = stamp(&stamper, "A", id: "1")
        expectEqual(stamper.remove("fresh", transactionID: "1"), token)
        expectEqual(remembered(by: stamper), 0)
    }

    @Test func `the address and the identifier of a removed entry stand for a new entry`() {
        var stamper = TransactionStamper<String>()
        let first = stamp(&stamper, "A", id: "1")
        stamper.remove("A", transactionID: "1")
        let second = stamp(&stamper, "A", id: "1")
        #expect(first < second)
        let third = stamp(&stamper, "B", id: "2")
        stamper.remove("B", transactionID: "2")
        #expect(stamp(&stamper, "B") > third)
    }

    @Test func `no other entry gets the token of a removed entry without an identifier`() {
        var stamper = TransactionStamper<String>()
        let first = stamp(&stamper, "A")
        stamper.remove("A", transactionID: nil)
        #expect(stamp(&stamper, "B") > first)
    }

    @Test func `the earlier objects of an entry are forgotten with the entry`() {
        var stamper = TransactionStamper<String>()
        let first = stamp(&stamper, "A", id: "1")
        _ = stamp(&stamper, "fresh", id: "1")
        #expect(stamp(&stamper, "A", id: "2") > first, "the address is used again for another entry")
        stamper.remove("fresh", transactionID: "1")
        stamper.remove("A", transactionID: "2")
        expectEqual(remembered(by: stamper), 0)
    }

    @Test func `an identifier that changes, or is lost, leaves no entry behind`() {
        var stamper = TransactionStamper<String>()
        let token = stamp(&stamper, "A", id: "1")
        expectEqual(stamp(&stamper, "A", id: "2"), token)
        expectEqual(stamp(&stamper, "A", id: nil), token)
        stamper.remove("A", transactionID: nil)
        expectEqual(remembered(by: stamper), 0)
        #expect(stamp(&stamper, "B", id: "1") > token)
    }

    @Test func `tokens of two stampers are never equal`() {
        var first = TransactionStamper<String>()
        var second = TransactionStamper<String>()
        #expect(first.newest != second.newest)
        let (left, right) = (stamp(&first, "A", id: "1"), stamp(&second, "A", id: "1"))
        #expect(left.source != right.source)
        #expect(left != right)
    }
}
