import Foundation
import TestHarness

@testable import AsyncStoreKit

/// Plays scripts with the queue of StoreKit 2's transactions. The result of an event is the events of the queue, with
/// the number of each entry.
///
/// A transaction is its identifier and its product, by default coins. Its signature is from second 0, and valid.
/// `7:pro:s2:revoked` is transaction 7 of pro, as it was signed and revoked in second 2.
///
/// | step | what it does |
/// |---|---|
/// | `queue` | another queue |
/// | `update 1:pro`, `adopt 1:pro` | a transaction arrives, or comes from one of Apple's views |
/// | `pay a coins` | a payment starts |
/// | `paid a 1 [owned 1] [of 2]`, `fails a coins`, `waits a coins [until 9]`, `requestsEnd at 9` | a payment ends |
/// | `release a` | no call waits for a payment any longer |
/// | `begin r at 0`, `end r 1 2`, or both: `read 1 2 at 0` | StoreKit's list is read |
/// | `restore 1:pro [for mine]` | a restore ends |
/// | `finish #1`, `finished #1` | the store finishes an entry; StoreKit has finished it |
/// | `forget #1` | the store forgets an entry |
struct StoreKit2QueueScript {
    private static let account = UUID()

    private var queue = StoreKit2Queue()
    private var calls = CallNames()
    private var products = [String: String]()
    private var reads = [String: StoreKit2Queue.Read]()
    /// The transactions that StoreKit was asked to finish.
    private var finishing = [String: StoreKit2SignedTransaction]()

    mutating func perform(_ step: Script.Step) -> String? {
        switch step.verb {
        case "queue":
            queue = StoreKit2Queue()
            return nil
        case "pay":
            queue.paymentWillStart(calls.id(step[0]), step[1])
            return nil
        case "begin":
            reads[step[0]] = queue.beginRead(at: date(step))
            return nil
        case "forget":
            queue.forget([token(step[0])])
            return nil
        case "finish":
            let (transaction, events) = queue.finish(token(step[0]))
            finishing[step[0]] = transaction
            return transaction.map { "StoreKit finishes \($0.id)" } ?? words(events)
        default: return events(step).map(words) ?? step.unknown
        }
    }

    private mutating func events(_ step: Script.Step) -> [QueueEvent]? {
        let id = calls.id(step[0])
        switch step.verb {
        case "update": return queue.transactionUpdated(transaction(step[0]))
        case "adopt": return queue.adopt(transaction(step[0]))
        case "paid":
            let owned = Set([step["owned"].flatMap { UInt64($0) }].compactMap(\.self))
            let answer = transaction(step[1])
            let request = PaymentRequest(productID: answer.productID, quantity: step.number("of").map { Int($0) } ?? 1)
            return queue.paymentDidEnd(id, request, .success(.success(answer)), ownedBefore: owned)
        case "waits":
            let end = step.number("until").map { Date(timeIntervalSince1970: $0) } ?? .distantFuture
            return queue.paymentDidEnd(id, PaymentRequest(productID: step[1]), .success(.pending), requestEnd: end)
        case "requestsEnd": return queue.requestsEnded(at: date(step))
        case "fails":
            return queue.paymentDidEnd(id, PaymentRequest(productID: step[1]), .success(.userCancelled))
        case "release": return queue.release(id)
        case "end": return reads[step[0]].map { queue.endRead($0, transactions(step.arguments.dropFirst())) }
        case "read": return queue.endRead(queue.beginRead(at: date(step)), transactions(step.arguments))
        case "restore":
            let account = step["for"].map { $0 == "mine" ? Self.account : UUID() }
            return queue.restore(transactions(step.arguments), for: account)
        case "finished": return finishing[step[0]].map { queue.didFinish(token(step[0]), $0) }
        default: return nil
        }
    }

    private func date(_ step: Script.Step) -> Date { Date(timeIntervalSince1970: step.number("at") ?? 0) }

    private func token(_ entry: String) -> TransactionToken {
        TransactionToken(source: queue.newest.source, serial: UInt64(entry.dropFirst()) ?? 0)
    }

    /// Returns the transactions before the first label.
    private func transactions(_ arguments: some Sequence<String>) -> [StoreKit2SignedTransaction] {
        arguments.prefix { $0.first?.isNumber == true }.map(transaction)
    }

    private func transaction(_ text: String) -> StoreKit2SignedTransaction {
        var parts = text.split(separator: ":").map(String.init)
        let id = UInt64(parts.removeFirst()) ?? 0
        let marks = ["revoked", "upgraded", "unverified", "mine"]
        func seconds(_ mark: Character) -> Double? {
            parts.lazy.filter { $0.first == mark }.compactMap { Double($0.dropFirst()) }.first
        }
        let product = parts.first { !marks.contains($0) && Double($0.dropFirst()) == nil } ?? "coins"
        let (bought, signed) = (seconds("b") ?? 0, seconds("s") ?? 0)
        let account = parts.contains("mine") ? #","appAccountToken":"\#(Self.account.uuidString)""# : ""
        let payload = """
            {"transactionId":"\(id)","originalTransactionId":"\(id)","bundleId":"a","productId":"\(product)",\
            "quantity":1,"purchaseDate":\(Int(bought * 1_000)),"signedDate":\(Int(signed * 1_000)),\
            "environment":"Production","type":"Consumable"\(account)}
            """
        let date = Date(timeIntervalSince1970: signed)
        return StoreKit2SignedTransaction(
            version: .init(
                id: id, signedDate: date, revocationDate: parts.contains("revoked") ? date : nil,
                isUpgraded: parts.contains("upgraded")),
            productID: product, purchaseDate: Date(timeIntervalSince1970: bought),
            verificationError: parts.contains("unverified") ? .unverified(product, "invalidSignature") : nil,
            payload: { Data(payload.utf8) }, jws: { text }, finish: {})
    }

    private func words(_ events: [QueueEvent]) -> String {
        Script.list(
            events.map { event in
                switch event {
                case .answeredPayment(_, let transaction, let isEarlier):
                    "answer \(words([transaction]))\(isEarlier ? " earlier" : "")"
                case .unsolicitedTransactions(let batch): "news \(words(batch))"
                case .restoredTransactions(let batch): "rows \(words(batch))"
                case .removedTransactions(let tokens): "removed \(words(tokens))"
                case .unlistedTransactions(let tokens): "unlisted \(words(tokens))"
                case .upgradedTransaction(let transaction): "upgraded \(transaction.productID)"
                case .reinstatedTransactions(let batch): "reinstated \(words(batch))"
                case .revokedEntitlements(let revocation):
                    "revoked \(revocation.productIDs.sorted()) \(words(revocation.transactions))"
                case .restoreFinished: "restored"
                default: "\(event)"
                }
            })
    }

    private func words(_ tokens: [TransactionToken]) -> String {
        tokens.map { "#\($0.serial)" }.joined(separator: " ")
    }

    private func words(_ batch: [StoreTransaction]) -> String {
        batch.map { transaction in
            let error = transaction.error.map { " \($0.code)" } ?? ""
            return "#\(transaction.token.serial) \(transaction.state) \(transaction.productID)\(error)"
        }.joined(separator: " ")
    }
}
