import AppReceipt

extension ReceiptItem {
    /// Reads an element of `in_app` or `latest_receipt_info`.
    ///
    /// `nil` when it names no product, no transaction or no purchase date, or when its cancellation date cannot be read. What else
    /// is missing or cannot be read has its usual value: a quantity of 1, the original transaction the transaction itself.
    public init?(receiptInfo: ReceiptInfo) {
        var text = ReceiptInfoText()
        text.append(receiptInfo)
        guard let purchase = try? ReceiptTransaction(leniently: text.bytes) else { return nil }
        self.init(purchase)
    }

    init(_ purchase: ReceiptTransaction) {
        self.init(
            productId: purchase.productID, quantity: purchase.quantity, transactionId: purchase.transactionID,
            originalTransactionId: purchase.originalTransactionID, purchaseDate: purchase.purchaseDate,
            originalPurchaseDate: purchase.originalPurchaseDate, webOrderLineItemId: purchase.webOrderLineItemID,
            subscriptionExpirationDate: purchase.expirationDate, cancellationDate: purchase.revocationDate,
            isTrialPeriod: purchase.isTrialPeriod, isInIntroOfferPeriod: purchase.isInIntroductoryOfferPeriod,
            isUpgraded: purchase.isUpgraded)
    }
}
