/// What comes of validating a receipt.
public enum VerifyReceiptResult {
    /// The receipt can be believed; its subscriptions may have expired.
    case success(receipt: ReceiptInfo)
    /// It cannot, or nobody could be asked.
    case error(error: ReceiptError)
}
