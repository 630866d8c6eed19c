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

    /// The digest of a message with its hash function.
    struct MessageDigest {
        fileprivate let algorithm: DigestAlgorithm
        fileprivate let bytes: [UInt8]

        init(_ algorithm: DigestAlgorithm, of message: ArraySlice<UInt8>) {
            self.algorithm = algorithm
            bytes = algorithm.hash(message)
        }
    }

    extension PublicKey {
        /// Returns whether `signature` is a valid RSASSA-PKCS1-v1_5 signature of the message with this digest.
        func isValidRSASignature(_ signature: ArraySlice<UInt8>, digest: MessageDigest) -> Bool {
            guard case .rsa(let key) = self,
                let verifier = key.prepared.value({ RSAPublicKey(modulus: key.modulus, exponent: key.exponent) })
            else { return false }
            return verifier.isValidSignature(signature, digest: digest.bytes, algorithm: digest.algorithm.portable)
        }
    }

    extension PublicKey.Curve {
        /// Returns whether `r` and `s`, each as long as a coordinate, are a valid signature with the key at an
        /// uncompressed point.
        func isValidSignature(r: [UInt8], s: [UInt8], point: ArraySlice<UInt8>, digest: MessageDigest) -> Bool {
            guard let key = ECDSAPublicKey(curve: self == .p256 ? .p256 : .p384, uncompressedPoint: point) else {
                return false
            }
            return key.isValidSignature(r: r[...], s: s[...], digest: digest.bytes)
        }
    }

    extension PublicKey {
        /// Values that are prepared from an RSA key for the first verification.
        typealias PreparedRSAKey = RSAPublicKey
    }
#endif
