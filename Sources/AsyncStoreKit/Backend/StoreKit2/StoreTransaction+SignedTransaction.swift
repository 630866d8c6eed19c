import AppReceipt
import Foundation

extension StoreTransaction {
    /// A transaction whose text can't be decoded is still delivered, with the values of its signed transaction.
    /// - Parameter isRestored: Whether the transaction is a row of a restore.
    init(
        _ signedTransaction: StoreKit2SignedTransaction, _ info: Shared<SignedTransactionInfo>?,
        token: TransactionToken,
        isRestored: Bool
    ) {
        let id = "\(signedTransaction.id)"
        let facts = info?.value.facts
        let originalID = facts?.originalTransactionID ?? id
        let isLater = originalID != id
        self.init(
            token: token, state: isRestored ? .restored : .purchased, productID: signedTransaction.productID,
            quantity: facts?.quantity ?? 1, applicationUsername: facts?.appAccountToken?.uuidString,
            offerID: facts?.offer?.id, id: id, purchaseDate: signedTransaction.purchaseDate,
            original: isLater || isRestored
                ? Original(id: originalID, purchaseDate: facts?.originalPurchaseDate ?? signedTransaction.purchaseDate)
                : nil,
            signedText: SignedText(
                id: id, jws: signedTransaction.jws, payload: signedTransaction.payload, info: info))
    }

    /// Creates the value for a payment that has no transaction yet.
    init(_ payment: PaymentRequest) {
        self.init(
            token: .none, state: .purchasing, productID: payment.productID, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, offerID: payment.offer?.id)
    }
}

extension PaymentRequest {
    /// Creates the request that a transaction answers, from the values that it has. Approvals are recognized by it.
    init(answeredBy transaction: StoreTransaction) {
        self.init(
            productID: transaction.productID, quantity: transaction.quantity,
            applicationUsername: transaction.applicationUsername)
    }

    /// The same part of a payment that has no transaction yet.
    var recognizable: PaymentRequest {
        PaymentRequest(
            productID: productID, quantity: quantity,
            applicationUsername: applicationUsername.flatMap(UUID.init(uuidString:))?.uuidString)
    }
}
