/// What a ``SimulatedRequest`` reports to its handler.
public enum SimulatedRequestEvent: Sendable, Hashable {
    /// The products, in the order of their identifiers, and the identifiers that name none, likewise.
    case products([SimulatedProduct], invalid: [String])
    /// The request has completed.
    case finished
    /// The request has failed.
    case failed(SimulatedError)
}

/// What a refreshed receipt of the sandbox is to claim, as in `SKReceiptRefreshRequest`.
public struct SimulatedReceiptProperties: Sendable, Hashable {
    /// Whether the receipt has run out.
    public var isExpired: Bool
    /// Whether the receipt was revoked. No documented field of a receipt says so: the file does not change.
    public var isRevoked: Bool
    /// Whether the receipt was bought by a volume purchase plan.
    public var isVolumePurchase: Bool

    /// Makes properties; by default a receipt claims none of them.
    public init(isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false) {
        self.isExpired = isExpired
        self.isRevoked = isRevoked
        self.isVolumePurchase = isVolumePurchase
    }
}
