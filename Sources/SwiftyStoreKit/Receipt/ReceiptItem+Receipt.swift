extension ReceiptItem {
    /// Reads an element of `in_app` or `latest_receipt_info`; `nil` when it names no product, transaction or purchase date.
    public init?(receiptInfo: ReceiptInfo) {
        nil
    }
}
