/// A public key on P-256 or P-384 that verifies ECDSA signatures (FIPS 186-5, 6.4.2; SEC 1, 4.1.4).
package struct ECDSAPublicKey: Sendable {
    private enum Point {
        case p256(AffinePoint<P256>)
        case p384(AffinePoint<P384>)
    }

    private let point: Point

    /// Creates a key from a point in the uncompressed form; `nil` if the bytes aren't a finite point on the curve.
    package init?(curve: EllipticCurve, uncompressedPoint: ArraySlice<UInt8>) {
        switch curve {
        case .p256:
            guard let point = AffinePoint<P256>(uncompressed: uncompressedPoint) else { return nil }
            self.point = .p256(point)
        case .p384:
            guard let point = AffinePoint<P384>(uncompressed: uncompressedPoint) else { return nil }
            self.point = .p384(point)
        }
    }

    /// Returns whether the big-endian numbers `r` and `s` are a valid signature of the message with this digest.
    ///
    /// Both numbers must be between one and the order minus one. Only the leftmost bits of a digest longer than the
    /// order are used.
    package func isValidSignature(r: ArraySlice<UInt8>, s: ArraySlice<UInt8>, digest: [UInt8]) -> Bool {
        switch point {
        case .p256(let point): point.isValidSignature(r: r, s: s, digest: digest)
        case .p384(let point): point.isValidSignature(r: r, s: s, digest: digest)
        }
    }
}

extension AffinePoint {
    fileprivate func isValidSignature(r: ArraySlice<UInt8>, s: ArraySlice<UInt8>, digest: [UInt8]) -> Bool {
        guard let r = Curve.scalar(bigEndian: r), let s = Curve.scalar(bigEndian: s) else { return false }
        let inverse = Residue<Curve.Order>(s).inverse()
        let first = Curve.messageScalar(digest: digest) * inverse
        let second = Residue<Curve.Order>(r) * inverse
        return JacobianPoint.combination(first.number, second.number, of: self).hasFirstCoordinate(r)
    }
}

extension PrimeCurve {
    /// Returns a number between one and the order minus one; `nil` for other numbers.
    package static func scalar(bigEndian bytes: ArraySlice<UInt8>) -> UInt384? {
        guard let number = UInt384(bigEndian: bytes), !number.isZero, number < Order.prime else { return nil }
        return number
    }

    /// Returns the leftmost bits of a digest modulo the order (FIPS 186-5, section 6.4.1). Both orders have a whole
    /// number of bytes.
    package static func messageScalar(digest: [UInt8]) -> Residue<Order> {
        Residue(reducing: UInt384(bigEndian: digest.prefix(Order.byteCount)) ?? UInt384.zero)
    }
}

/// The curves of keys for receipts and signed data.
package enum EllipticCurve: Hashable, Sendable, CaseIterable {
    case p256
    case p384

    /// The number of bytes of a coordinate and of a scalar.
    package var byteCount: Int {
        switch self {
        case .p256: P256.Field.byteCount
        case .p384: P384.Field.byteCount
        }
    }
}
