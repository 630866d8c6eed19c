/// Whether a product was bought.
public enum VerifyPurchaseResult {
    /// It was; `item` is the latest purchase that stands.
    case purchased(item: ReceiptItem)
    /// It was not, or every purchase was taken back.
    case notPurchased
}
