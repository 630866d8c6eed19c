/// A public key on P-256 or P-384 that verifies ECDSA signatures (FIPS 186-4, 6.4; SEC 1, 4.1.4).
package struct ECDSAPublicKey: Sendable {
    private let curve: EllipticCurve
    private let point: EllipticCurvePoint

    /// Takes a point in the uncompressed form; `nil` when it is not a finite point on the curve.
    package init?(curve: EllipticCurve?, uncompressedPoint: ArraySlice<UInt8>) {
        guard let curve, let point = curve.point(uncompressed: uncompressedPoint) else { return nil }
        self.curve = curve
        self.point = point
    }

    /// Whether the big-endian numbers `r` and `s` are a signature of the message with this digest.
    ///
    /// Both have to be between one and the order less one. Of a digest longer than the order only the leftmost bits count.
    package func isValidSignature(r: ArraySlice<UInt8>, s: ArraySlice<UInt8>, digest: [UInt8]) -> Bool {
        let scalars = curve.scalars
        guard let r = LimbInteger(bigEndian: r, limbCount: scalars.limbCount), !r.isZero, r < scalars.modulus,
            let s = LimbInteger(bigEndian: s, limbCount: scalars.limbCount), !s.isZero, s < scalars.modulus
        else { return false }
        let inverse = scalars.inverseModuloPrime(scalars.represent(s))
        // A number in Montgomery's representation times one that is not gives the plain product.
        let first = scalars.multiply(curve.messageScalar(digest: digest), inverse)
        let second = scalars.multiply(r, inverse)
        let sum = curve.combine(first, curve.basePoint, second, point)
        guard !sum.z.isZero else { return false }
        return curve.affineX(sum).map { curve.reducedByOrder($0) == r } ?? false
    }
}

extension EllipticCurve {
    /// The leftmost bits of a digest as a number below the order (FIPS 186-4, 6.4). Both orders have a whole number of bytes.
    package func messageScalar(digest: [UInt8]) -> LimbInteger {
        guard let number = LimbInteger(bigEndian: digest.prefix(byteCount), limbCount: scalars.limbCount) else { return scalars.modulus }
        return reducedByOrder(number)
    }

    /// A number below twice the order, reduced: primes and orders lie so close together that one subtraction is enough.
    package func reducedByOrder(_ number: LimbInteger) -> LimbInteger {
        guard number >= scalars.modulus else { return number }
        var reduced = number
        _ = reduced.subtract(scalars.modulus)
        return reduced
    }

    /// The first coordinate of a point as a plain number, or `nil` at infinity.
    package func affineX(_ point: EllipticCurvePoint) -> LimbInteger? {
        guard !point.z.isZero else { return nil }
        return field.value(field.multiply(point.x, field.inverseModuloPrime(point.z)))
    }
}
