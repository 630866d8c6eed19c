/// An event that a ``SimulatedRequest`` reports to its handler.
public enum SimulatedRequestEvent: Sendable, Hashable {
    /// The products and the identifiers without a product, both sorted by identifier.
    case products([SimulatedProduct], invalid: [String])
    /// The request is complete.
    case finished
    /// The request failed.
    case failed(SimulatedError)
}

/// The properties of a refreshed sandbox receipt, as in `SKReceiptRefreshRequest`.
public struct SimulatedReceiptProperties: Sendable, Hashable {
    /// Whether the receipt has expired.
    public var isExpired: Bool
    /// Whether the receipt was revoked. Receipts have no documented field for this property, so the file doesn't
    /// change.
    public var isRevoked: Bool
    /// Whether the receipt is from a volume purchase.
    public var isVolumePurchase: Bool

    /// Creates properties. By default, all of them are `false`.
    public init(isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false) {
        self.isExpired = isExpired
        self.isRevoked = isRevoked
        self.isVolumePurchase = isVolumePurchase
    }
}
