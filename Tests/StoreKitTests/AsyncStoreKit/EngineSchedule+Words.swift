import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support

@testable import AsyncStoreKit

// What happened in a schedule, as text that two engines are compared by.
extension EngineSchedule {
    func words<Value>(of value: Value) -> String {
        switch value {
        case let history as PurchaseHistory: words(of: history)
        case let response as ProductsResponse:
            "\(response.products.sorted { $0.id < $1.id }) \(response.invalidProductIDs.sorted())"
        case let data as Data: data.base64EncodedString()
        default: "\(value)"
        }
    }

    func words(of history: PurchaseHistory) -> String {
        switch history {
        case .receipt(let data): return "receipt \(data.base64EncodedString())"
        case .signed(let signed):
            let lists = [signed.transactions, signed.subscriptions, signed.unfinished, signed.past]
            let rows = lists.map { $0.map { "\($0.facts) \($0.jws ?? "")" } }
            let renewals = signed.renewals.map { "\($0.facts) \($0.jws ?? "")" }
            return "\(rows) \(renewals) \(signed.statuses) \(signed.unverifiedProductIDs.sorted()) "
                + "\(String(describing: signed.failure))"
        }
    }

    func words(of transaction: StoreTransaction) -> String {
        let original = transaction.original.map { "\($0.id ?? "") \(String(describing: $0.purchaseDate))" }
        return [
            "\(transaction.token.serial) \(transaction.state) \(transaction.productID) x\(transaction.quantity)",
            transaction.applicationUsername, transaction.offerID, transaction.id,
            transaction.purchaseDate.map { "\($0.timeIntervalSince1970)" }, original,
            transaction.error.map { "\($0) (\($0.localizedDescription))" }, transaction.jws,
            transaction.signedInfo.map { "\($0)" },
        ].compactMap { $0 }.joined(separator: " ")
    }

    func words(of event: QueueEvent) -> String {
        switch event {
        case .updatedTransactions(let batch): "updated \(batch.map { words(of: $0) })"
        case .answeredPayment(_, let transaction, let isEarlier): "answer \(words(of: transaction)) \(isEarlier)"
        case .unsolicitedTransactions(let batch): "unsolicited \(batch.map { words(of: $0) })"
        case .restoredTransactions(let batch): "rows \(batch.map { words(of: $0) })"
        case .unlistedTransactions(let tokens): "unlisted \(tokens.map(\.serial))"
        case .removedTransactions(let tokens): "removed \(tokens.map(\.serial))"
        case .restoreFailed(let error): "restore failed \(error)"
        case .revokedEntitlements(let revocation):
            "revoked \(revocation.productIDs.sorted()) \(revocation.transactions.map { words(of: $0) })"
        case .promotedPayment(let promoted):
            "intent \(promoted.payment.productID) \(String(describing: promoted.payment.offer)) \(promoted.product) "
                + "\(promoted.decision)"
        case .message(let message): "message \(message.reason)"
        default: "\(event)"
        }
    }
}
