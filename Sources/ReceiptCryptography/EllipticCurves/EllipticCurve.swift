/// The curves that keys of receipts and signed data lie on.
package enum EllipticCurve: Hashable, Sendable, CaseIterable {
    case p256
    case p384

    /// The number of bytes of a coordinate and of a scalar.
    package var byteCount: Int {
        switch self {
        case .p256: UInt256.byteCount
        case .p384: UInt384.byteCount
        }
    }
}
