package import ReceiptCryptography

/// An elliptic-curve key of the simulator that signs with ECDSA, deterministically (RFC 6979).
///
/// It is published test material: nothing takes care to keep it secret, and nothing but the simulator's own tokens may be trusted on it.
package struct ECDSAPrivateKey: Sendable {
    package let curve: EllipticCurve
    private let scalar: [UInt8]
    /// The public key in the uncompressed form.
    package let publicPoint: [UInt8]

    /// Takes the big-endian private number; `nil` unless it is between one and the curve's order less one.
    package init?(curve: EllipticCurve, scalar: [UInt8]) {
        let point =
            switch curve {
            case .p256: P256.publicPoint(scalar)
            case .p384: P384.publicPoint(scalar)
            }
        guard let point else { return nil }
        self.curve = curve
        self.scalar = scalar
        publicPoint = point
    }

    /// Signs a message; `r` and `s` are big-endian and as long as the curve's order.
    package func signature(of message: [UInt8], _ algorithm: SignatureDigest) -> (r: [UInt8], s: [UInt8])? {
        switch curve {
        case .p256: P256.signature(of: message, algorithm, scalar)
        case .p384: P384.signature(of: message, algorithm, scalar)
        }
    }
}

extension PrimeCurve {
    fileprivate static func publicPoint(_ scalar: [UInt8]) -> [UInt8]? {
        Self.scalar(bigEndian: scalar[...]).flatMap { JacobianPoint<Self>.baseMultiple($0).affine?.uncompressed }
    }

    /// FIPS 186-5, 6.4.1.
    fileprivate static func signature(
        of message: [UInt8], _ algorithm: SignatureDigest, _ scalar: [UInt8]
    ) -> (r: [UInt8], s: [UInt8])? {
        guard let key = Self.scalar(bigEndian: scalar[...]) else { return nil }
        let message = messageScalar(digest: algorithm.hash(message[...]))
        var nonces = DeterministicNonce(
            key: key.bigEndianBytes, message: message.number.bigEndianBytes, algorithm: algorithm)
        // A nonce that gives zero for r or s is skipped; in all likelihood none ever does.
        for _ in 0..<16 {
            guard let nonce = Self.scalar(bigEndian: nonces.next()[...]),
                let point = JacobianPoint<Self>.baseMultiple(nonce).affine
            else { continue }
            let r = Residue<Order>(reducing: point.x.number)
            let s = (message + r * Residue(key)) * Residue<Order>(nonce).inverse()
            guard !r.isZero, !s.isZero else { continue }
            return (r.number.bigEndianBytes, s.number.bigEndianBytes)
        }
        return nil
    }
}

/// The nonces of RFC 6979, 3.2, drawn from the key and the message with HMAC.
private struct DeterministicNonce {
    private var key: [UInt8]
    private var value: [UInt8]
    private let byteCount: Int
    private let algorithm: SignatureDigest
    private var isFirst = true

    /// Takes the private number and the message's, both as long as the order.
    init(key scalar: [UInt8], message: [UInt8], algorithm: SignatureDigest) {
        self.algorithm = algorithm
        byteCount = scalar.count
        key = Array(repeating: 0, count: algorithm.digestSize)
        value = Array(repeating: 1, count: algorithm.digestSize)
        let seed = scalar + message
        update(0x00, seed)
        update(0x01, seed)
    }

    /// Steps d to h; the bits are taken from the left, and both orders have a whole number of bytes.
    mutating func next() -> [UInt8] {
        if !isFirst { update(0x00, []) }
        isFirst = false
        var bits: [UInt8] = []
        while bits.count < byteCount {
            value = authenticate(value)
            bits += value
        }
        return Array(bits.prefix(byteCount))
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
