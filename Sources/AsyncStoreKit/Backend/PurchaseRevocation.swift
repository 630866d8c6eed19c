/// Products that were taken away: by a refund, or because a family no longer shares them.
public struct PurchaseRevocation: Sendable, Hashable {
    /// What is no longer owned.
    public let productIDs: Set<String>

    /// Describes a revocation. Only a ``StoreBackend`` has reason to.
    public init(productIDs: Set<String>) {
        self.productIDs = productIDs
    }
}
