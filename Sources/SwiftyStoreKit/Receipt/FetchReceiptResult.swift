public import Foundation

/// What comes of fetching the receipt.
public enum FetchReceiptResult {
    /// The receipt file, encoded as the App Store left it.
    case success(receiptData: Data)
    /// There is no receipt, or no new one.
    case error(error: ReceiptError)
}
