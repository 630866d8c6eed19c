#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import Security

    extension DigestAlgorithm {
        package func hash(_ message: ArraySlice<UInt8>) -> [UInt8] {
            switch self {
            case .sha1: Array(Insecure.SHA1.hash(data: message))
            case .sha256: Array(SHA256.hash(data: message))
            case .sha384: Array(SHA384.hash(data: message))
            }
        }
    }

    /// The digest of a message with its hash function.
    enum MessageDigest {
        case sha1(Insecure.SHA1Digest)
        case sha256(SHA256Digest)
        case sha384(SHA384Digest)

        init(_ algorithm: DigestAlgorithm, of message: ArraySlice<UInt8>) {
            switch algorithm {
            case .sha1: self = .sha1(Insecure.SHA1.hash(data: message))
            case .sha256: self = .sha256(SHA256.hash(data: message))
            case .sha384: self = .sha384(SHA384.hash(data: message))
            }
        }

        fileprivate var bytes: Data {
            switch self {
            case .sha1(let digest): Data(digest)
            case .sha256(let digest): Data(digest)
            case .sha384(let digest): Data(digest)
            }
        }

        fileprivate var rsaAlgorithm: SecKeyAlgorithm {
            switch self {
            case .sha1: .rsaSignatureDigestPKCS1v15SHA1
            case .sha256: .rsaSignatureDigestPKCS1v15SHA256
            case .sha384: .rsaSignatureDigestPKCS1v15SHA384
            }
        }
    }

    extension PublicKey {
        /// Returns whether `signature` is a valid RSASSA-PKCS1-v1_5 signature of the message with this digest.
        func isValidRSASignature(_ signature: ArraySlice<UInt8>, digest: MessageDigest) -> Bool {
            guard case .rsa(let key) = self, signature.count == key.modulus.count else { return false }
            let attributes =
                [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic] as CFDictionary
            guard let prepared = SecKeyCreateWithData(Data(key.encoding) as CFData, attributes, nil) else {
                return false
            }
            return SecKeyVerifySignature(
                prepared, digest.rsaAlgorithm, digest.bytes as CFData, Data(signature) as CFData, nil)
        }

        /// Values that are prepared from an RSA key. The Security framework doesn't need any.
        typealias PreparedRSAKey = Never
    }

    extension PublicKey.Curve {
        /// Returns whether `r` and `s`, each as long as a coordinate, are a valid signature with the key at an
        /// uncompressed point.
        func isValidSignature(r: [UInt8], s: [UInt8], point: ArraySlice<UInt8>, digest: MessageDigest) -> Bool {
            let (point, signature) = (Data(point), Data(r + s))
            switch self {
            case .p256:
                guard let key = try? P256.Signing.PublicKey(x963Representation: point),
                    let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
                else { return false }
                switch digest {
                case .sha1(let digest): return key.isValidSignature(signature, for: digest)
                case .sha256(let digest): return key.isValidSignature(signature, for: digest)
                case .sha384(let digest): return key.isValidSignature(signature, for: digest)
                }
            case .p384:
                guard let key = try? P384.Signing.PublicKey(x963Representation: point),
                    let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature)
                else { return false }
                switch digest {
                case .sha1(let digest): return key.isValidSignature(signature, for: digest)
                case .sha256(let digest): return key.isValidSignature(signature, for: digest)
                case .sha384(let digest): return key.isValidSignature(signature, for: digest)
                }
            }
        }
    }
#endif
