/// When a new receipt is asked for.
public enum ReceiptRefreshPolicy: Sendable, Hashable {
    /// Only when there is none on the device. The App Store is asked at most once.
    case ifMissing
    /// In any case. People may be asked for their password.
    case always
    /// Until the receipt holds this transaction: receipts have been seen to lag behind purchases and renewals.
    ///
    /// The App Store is asked five times at the most, after pauses of 1, 2, 4 and 8 seconds.
    case untilContains(StoreTransaction)
}
