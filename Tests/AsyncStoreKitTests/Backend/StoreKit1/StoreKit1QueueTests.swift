import AsyncStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct StoreKit1QueueTests {
    private static let coins = PaymentRequest(productID: "coins")

    private typealias Queue = StoreKit1Queue<String, String, Never>

    /// A queue whose tokens are named by their numbers.
    ///
    /// An object is in the queue when it is reported, and so is the one after `beside`. Payments are for coins, or for
    /// what follows `for`: another product, two pieces, or coins for a user.
    private struct Stamping {
        var queue = Queue()
        var queueReads = 0

        mutating func perform(_ step: Script.Step) -> String? {
            let object = step[0]
            switch step.verb {
            case "report":
                var reads = 0
                defer { queueReads += reads }
                return describe(
                    queue.stamp(object, description(of: step)) {
                        reads += 1
                        return [step["beside"], object].compactMap { $0 }
                    })
            case "remove":
                let token = queue.remove(description(of: step)) { [] }
                // The store has processed the removal, unless a batch continues.
                if !step.has("first") { queue.forget([token].compactMap { $0 }) }
                return describe(token)
            case "object":
                return queue.object(for: TransactionToken(source: queue.newest.source, serial: UInt64(step[0]) ?? 0))
                    ?? "none"
            case "count": return "\(queue.count)"
            case "newest": return describe(queue.newest)
            case "queueReads": return "\(queueReads)"
            case "remembered": return "\(TestHarness.remembered(by: queue))"
            default: return step.unknown
            }
        }

        private func description(of step: Script.Step) -> Queue.Description {
            Queue.Description(
                identity: step[0], transactionID: step["id"], payment: payment(step), hasFailed: step.has("failed"))
        }

        private func payment(_ step: Script.Step) -> PaymentRequest {
            switch step["for"] {
            case nil: StoreKit1QueueTests.coins
            case "two": PaymentRequest(productID: "coins", quantity: 2)
            case "ada": PaymentRequest(productID: "coins", applicationUsername: "ada")
            case let product?: PaymentRequest(productID: product)
            }
        }

        private func describe(_ token: TransactionToken?) -> String {
            guard let token else { return "none" }
            return token.source == queue.newest.source ? "\(token.serial)" : "\(token)"
        }
    }

    static let scripts = [
        Script(
            "a new object never represents a failed entry, so that every failure can answer a payment",
            """
            report A failed → 1, report retry → 2
            report fresh failed → 2, report again failed → 3
            """),
        Script(
            "a failed entry that leaves with a new object is forgotten, and the next failure is another entry",
            "report A failed → 1, remove fresh failed → 1, count → 0, report B failed → 2"),
        Script(
            "an object keeps its token, and every new object has a greater one",
            """
            newest → 0, report A id 1 → 1, report B id 2 → 2
            report A id 1 → 1, report B id 2 → 2, newest → 2, count → 2
            """),
        Script(
            "an object that gets an identifier later keeps its token",
            "report A → 1, report A id 1 → 1, report fresh id 1 beside A → 1"),
        Script(
            "a new object with a known identifier represents the known entry",
            "report A id 1 → 1, report fresh id 1 → 1, object 1 → fresh, count → 1, newest → 1"),
        Script(
            "the same product under another identifier is another entry", "report A id 1 → 1, report B id 2 → 2"),
        Script(
            "a new object without an identifier replaces an equal one that has left the queue",
            "report A → 1, report fresh → 1, object 1 → fresh"),
        Script(
            "a new object that has its identifier by then replaces an equal one that has left the queue",
            "report A → 1, report fresh → 1, report fresher id 1 → 1"),
        Script(
            "a second object for an equal payment is a separate entry while the first is in the queue",
            "report A → 1, report B beside A → 2, count → 2"),
        Script(
            "an entry with an identifier isn't replaced by an equal payment",
            "report A → 1, report A id 1 → 1, report B → 2"),
        Script("a new object for another product is another entry", "report A → 1, report B for gems → 2"),
        Script("a new object for another quantity is another entry", "report A → 1, report B for two → 2"),
        Script("a new object for another user is another entry", "report A → 1, report B for ada → 2"),
        Script(
            "of several entries that an object can represent, the oldest is replaced",
            "report A → 1, report B beside A → 2, report freshA → 1, report freshB beside freshA → 2"),
        Script(
            "the queue is read only when it matters",
            """
            report A → 1, report A id 1 → 1, report fresh id 1 → 1, report B for gems → 2, report B for gems → 2
            queueReads → 0, report C for gems → 2, queueReads → 1
            """),
        // Leaving the queue.
        Script(
            "a removed entry is forgotten, and its token is returned once",
            "report A id 1 → 1, remove A id 1 → 1, remove A id 1 → none, object 1 → none, count → 0, remembered → 0"),
        Script(
            "an unknown object has no token",
            "report A id 1 → 1, remove B id 2 → none, remove B → none, count → 1"),
        Script(
            "a second object of an entry that leaves isn't another entry for the same payment",
            """
            report A → 1, report B id 1 for gems beside A → 2, remove B id 1 for gems first → 2
            remove fresh id 1 first → none, count → 1, remove fresher id 2 → 1
            """),
        Script(
            "an entry can be removed by a new object", "report A id 1 → 1, remove fresh id 1 → 1, remembered → 0"),
        Script(
            "the address and the identifier of a removed entry represent a new entry",
            """
            report A id 1 → 1, remove A id 1 → 1, report A id 1 → 2
            report B id 2 → 3, remove B id 2 → 3, report B → 4
            """),
        Script(
            "no other entry gets the token of a removed entry without an identifier",
            "report A → 1, remove A → 1, report B → 2"),
        // The address of A is used again for another entry.
        Script(
            "the earlier objects of an entry are forgotten with the entry",
            """
            report A id 1 → 1, report fresh id 1 → 1, report A id 2 → 2
            remove fresh id 1 → 1, remove A id 2 → 2, remembered → 0
            """),
        Script(
            "an identifier that changes, or is lost, leaves no entry behind",
            """
            report A id 1 → 1, report A id 2 → 1, report A → 1, remove A → 1, remembered → 0
            report B id 1 → 2
            """),
    ]

    @Test(arguments: scripts) func `an entry of the queue keeps its token`(script: Script) {
        var stamping = Stamping()
        script.play { stamping.perform($0) }
    }

    @Test func `tokens of two queues are never equal`() {
        var (first, second) = (Queue(), Queue())
        #expect(first.newest != second.newest)
        let description = Queue.Description(
            identity: "A", transactionID: "1", payment: Self.coins, hasFailed: false)
        let (left, right) = (first.stamp("A", description) { ["A"] }, second.stamp("A", description) { ["A"] })
        #expect(left.source != right.source)
        #expect(left != right)
    }
}
