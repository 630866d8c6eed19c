package import ReceiptCryptography

/// An elliptic-curve key of the simulator for deterministic ECDSA signatures (RFC 6979).
///
/// The key is published test material and isn't secret. Trust the key only for the simulator's own tokens.
package struct ECDSAPrivateKey: Sendable {
    package let curve: EllipticCurve
    private let scalar: [UInt8]
    /// The public key in the uncompressed form.
    package let publicPoint: [UInt8]

    /// Creates a key from its big-endian scalar; `nil` unless the scalar is between one and the curve's order minus
    /// one.
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

    /// Signs a message. `r` and `s` are big-endian and have the length of the curve's order.
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

    /// Signs a message (FIPS 186-5, section 6.4.1).
    fileprivate static func signature(
        of message: [UInt8], _ algorithm: SignatureDigest, _ scalar: [UInt8]
    ) -> (r: [UInt8], s: [UInt8])? {
        guard let key = Self.scalar(bigEndian: scalar[...]) else { return nil }
        let message = messageScalar(digest: algorithm.hash(message[...]))
        var nonces = DeterministicNonce(
            key: key.bigEndian(count: Order.byteCount), message: message.bytes, algorithm: algorithm)
        // A nonce with zero for r or s is skipped, which has a negligible probability.
        for _ in 0..<16 {
            guard let nonce = Self.scalar(bigEndian: nonces.next()[...]),
                let point = JacobianPoint<Self>.baseMultiple(nonce).affine
            else { continue }
            let r = Residue<Order>(reducing: point.x.number)
            let s = (message + r * Residue(key)) * Residue<Order>(nonce).inverse()
            guard !r.isZero, !s.isZero else { continue }
            return (r.bytes, s.bytes)
        }
        return nil
    }
}

/// The nonces of RFC 6979, section 3.2, which HMAC derives from the key and the message.
private struct DeterministicNonce {
    private var key: [UInt8]
    private var value: [UInt8]
    private let byteCount: Int
    private let algorithm: SignatureDigest
    private var isFirst = true

    /// Creates the nonces for a private scalar and a message scalar, both with the length of the order.
    init(key scalar: [UInt8], message: [UInt8], algorithm: SignatureDigest) {
        self.algorithm = algorithm
        byteCount = scalar.count
        key = Array(repeating: 0, count: algorithm.digestSize)
        value = Array(repeating: 1, count: algorithm.digestSize)
        let seed = scalar + message
        update(0x00, seed)
        update(0x01, seed)
    }

    /// Returns the next nonce (steps d to h). Both orders have a whole number of bytes.
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

    /// Returns the HMAC (RFC 2104) with the current key, which is never longer than a block.
    private func authenticate(_ text: [UInt8]) -> [UInt8] {
        let block = key + Array(repeating: 0, count: (algorithm == .sha384 ? 128 : 64) - key.count)
        let inner = algorithm.hash((block.map { $0 ^ 0x36 } + text)[...])
        return algorithm.hash((block.map { $0 ^ 0x5C } + inner)[...])
    }
}
