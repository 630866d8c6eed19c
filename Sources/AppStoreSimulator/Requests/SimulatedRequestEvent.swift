/// What a ``SimulatedRequest`` reports to its handler.
public enum SimulatedRequestEvent: Sendable, Hashable {
    /// The products, in the order of their identifiers, and the identifiers that name none, likewise.
    case products([SimulatedProduct], invalid: [String])
    /// The request has completed.
    case finished
    /// The request has failed.
    case failed(SimulatedError)
}
