package import ReceiptCryptography

/// An elliptic-curve key of the simulator that signs with ECDSA, deterministically (RFC 6979).
///
/// It is published test material: nothing takes care to keep it secret, and nothing but the simulator's own tokens may be trusted on it.
package struct ECDSAPrivateKey: Sendable {
    package let curve: EllipticCurve
    private let scalar: LimbInteger
    /// The public key in the uncompressed form.
    package let publicPoint: [UInt8]

    /// Takes the big-endian private number; `nil` unless it is between one and the curve's order less one.
    package init?(curve: EllipticCurve?, scalar: [UInt8]) {
        guard let curve, let number = LimbInteger(bigEndian: scalar, limbCount: curve.scalars.limbCount), !number.isZero,
            number < curve.scalars.modulus,
            let point = curve.affine(curve.multiple(number))
        else { return nil }
        self.curve = curve
        self.scalar = number
        publicPoint = [0x04] + point.x.bigEndian(count: curve.byteCount) + point.y.bigEndian(count: curve.byteCount)
    }

    /// Signs a message; `r` and `s` are big-endian and as long as the curve's order.
    package func signature(of message: [UInt8], _ algorithm: SignatureDigest) -> (r: [UInt8], s: [UInt8])? {
        let digest = algorithm.hash(message[...])
        let scalars = curve.scalars
        let message = curve.messageScalar(digest: digest)
        var nonces = DeterministicNonce(key: scalar, message: message, curve: curve, algorithm: algorithm)
        // A nonce that gives zero for r or s is skipped; in all likelihood none ever does.
        for _ in 0..<16 {
            let nonce = nonces.next()
            guard !nonce.isZero, nonce < scalars.modulus, let x = curve.affine(curve.multiple(nonce))?.x else { continue }
            let r = curve.reducedByOrder(x)
            let inverse = scalars.inverseModuloPrime(scalars.represent(nonce))
            let product = scalars.multiply(scalars.represent(r), scalars.represent(scalar))
            let sum = scalars.add(product, scalars.represent(message))
            let s = scalars.value(scalars.multiply(sum, inverse))
            guard !r.isZero, !s.isZero else { continue }
            return (r.bigEndian(count: curve.byteCount), s.bigEndian(count: curve.byteCount))
        }
        return nil
    }
}

extension EllipticCurve {
    /// The base point, taken `scalar` times.
    fileprivate func multiple(_ scalar: LimbInteger) -> EllipticCurvePoint {
        combine(scalar, basePoint, LimbInteger(limbs: [0]), basePoint)
    }

    /// Both coordinates of a point as plain numbers, or `nil` at infinity.
    fileprivate func affine(_ point: EllipticCurvePoint) -> (x: LimbInteger, y: LimbInteger)? {
        guard !point.z.isZero else { return nil }
        let inverse = field.inverseModuloPrime(point.z)
        return (field.value(field.multiply(point.x, inverse)), field.value(field.multiply(point.y, inverse)))
    }
}

/// The nonces of RFC 6979, 3.2, drawn from the key and the message with HMAC.
private struct DeterministicNonce {
    private var key: [UInt8]
    private var value: [UInt8]
    private let byteCount: Int
    private let algorithm: SignatureDigest
    private var isFirst = true

    init(key scalar: LimbInteger, message: LimbInteger, curve: EllipticCurve, algorithm: SignatureDigest) {
        self.algorithm = algorithm
        byteCount = curve.byteCount
        key = Array(repeating: 0, count: algorithm.digestSize)
        value = Array(repeating: 1, count: algorithm.digestSize)
        let seed = scalar.bigEndian(count: byteCount) + message.bigEndian(count: byteCount)
        update(0x00, seed)
        update(0x01, seed)
    }

    /// Steps d to h; the bits are taken from the left, and both orders have a whole number of bytes.
    mutating func next() -> LimbInteger {
        if !isFirst { update(0x00, []) }
        isFirst = false
        var bits: [UInt8] = []
        while bits.count < byteCount {
            value = authenticate(value)
            bits += value
        }
        return LimbInteger(bigEndian: bits.prefix(byteCount), limbCount: byteCount / 8) ?? LimbInteger(limbs: [0])
    }

    private mutating func update(_ separator: UInt8, _ seed: [UInt8]) {
        key = authenticate(value + [separator] + seed)
        value = authenticate(value)
    }

    /// HMAC (RFC 2104) under the current key, which is never longer than a block.
    private func authenticate(_ text: [UInt8]) -> [UInt8] {
        let block = key + Array(repeating: 0, count: (algorithm == .sha384 ? 128 : 64) - key.count)
        let inner = algorithm.hash((block.map { $0 ^ 0x36 } + text)[...])
        return algorithm.hash((block.map { $0 ^ 0x5C } + inner)[...])
    }
}
