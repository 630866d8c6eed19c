#if !canImport(CryptoKit)
    import ReceiptCryptography

    extension DigestAlgorithm {
        package func hash(_ message: ArraySlice<UInt8>) -> [UInt8] {
            portable.hash(message)
        }

        fileprivate var portable: SignatureDigest {
            switch self {
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha384: .sha384
            }
        }
    }

    extension PublicKey {
        /// Whether `signature`, of RSASSA-PKCS1-v1_5, belongs to the message with this digest.
        func isValidRSASignature(_ signature: ArraySlice<UInt8>, digest: [UInt8], algorithm: DigestAlgorithm) -> Bool {
            guard case .rsa(let key) = self, let verifier = RSAPublicKey(modulus: key.modulus, exponent: key.exponent) else { return false }
            return verifier.isValidSignature(signature, digest: digest, algorithm: algorithm.portable)
        }

        /// Whether `r` and `s` are an ECDSA signature of the message with this digest.
        func isValidECDSASignature(r: ArraySlice<UInt8>, s: ArraySlice<UInt8>, digest: [UInt8], algorithm: DigestAlgorithm) -> Bool {
            guard case .ellipticCurve(let curve, let point) = self,
                let verifier = ECDSAPublicKey(curve: curve == .p256 ? .p256 : .p384, uncompressedPoint: point)
            else { return false }
            return verifier.isValidSignature(r: r, s: s, digest: digest)
        }
    }
#endif
