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

        fileprivate var rsaAlgorithm: SecKeyAlgorithm {
            switch self {
            case .sha1: .rsaSignatureDigestPKCS1v15SHA1
            case .sha256: .rsaSignatureDigestPKCS1v15SHA256
            case .sha384: .rsaSignatureDigestPKCS1v15SHA384
            }
        }

        fileprivate var ecdsaAlgorithm: SecKeyAlgorithm {
            switch self {
            case .sha1: .ecdsaSignatureDigestX962SHA1
            case .sha256: .ecdsaSignatureDigestX962SHA256
            case .sha384: .ecdsaSignatureDigestX962SHA384
            }
        }
    }

    extension PublicKey {
        /// Whether `signature`, of RSASSA-PKCS1-v1_5, belongs to the message with this digest.
        func isValidRSASignature(_ signature: ArraySlice<UInt8>, digest: [UInt8], algorithm: DigestAlgorithm) -> Bool {
            guard case .rsa(let key) = self, signature.count == key.modulus.count else { return false }
            return PublicKey.verify(
                type: kSecAttrKeyTypeRSA, key: key.encoding, algorithm: algorithm.rsaAlgorithm, digest: digest, signature: Data(signature))
        }

        /// Whether `r` and `s` are an ECDSA signature of the message with this digest.
        func isValidECDSASignature(r: ArraySlice<UInt8>, s: ArraySlice<UInt8>, digest: [UInt8], algorithm: DigestAlgorithm) -> Bool {
            guard case .ellipticCurve(_, let point) = self else { return false }
            // Neither number is longer than 48 bytes, so the short form of the length is enough for both together.
            let numbers = PublicKey.integer(r) + PublicKey.integer(s)
            guard numbers.count < 0x80 else { return false }
            return PublicKey.verify(
                type: kSecAttrKeyTypeECSECPrimeRandom, key: point, algorithm: algorithm.ecdsaAlgorithm, digest: digest,
                signature: Data([0x30, UInt8(numbers.count)] + numbers))
        }

        private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
            let digits = number.drop { $0 == 0 }
            let content = (digits.first.map { $0 < 0x80 } ?? false) ? Array(digits) : [0] + digits
            guard content.count < 0x80 else { return Array(repeating: 0, count: 0x80) }
            return [0x02, UInt8(content.count)] + content
        }

        private static func verify(
            type: CFString, key: ArraySlice<UInt8>, algorithm: SecKeyAlgorithm, digest: [UInt8], signature: Data
        ) -> Bool {
            let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPublic] as CFDictionary
            guard let key = SecKeyCreateWithData(Data(key) as CFData, attributes, nil) else { return false }
            return SecKeyVerifySignature(key, algorithm, Data(digest) as CFData, signature as CFData, nil)
        }
    }
#endif
