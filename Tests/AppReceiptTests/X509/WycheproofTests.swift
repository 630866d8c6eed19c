import AppReceipt
import Foundation
import TestHarness
import Testing

/// The signature vectors of Project Wycheproof. `WYCHEPROOF_VECTORS` is the directory with `testvectors_v1`.
///
/// The repository doesn't contain the vectors. Other tests check the same rules.
@Suite(.bounded, .enabled(if: WycheproofVectors.directory != nil)) struct WycheproofTests {
    @Test(arguments: [
        "rsa_signature_2048_sha256", "rsa_signature_2048_sha384", "rsa_signature_3072_sha256",
        "rsa_signature_3072_sha384",
        "rsa_signature_4096_sha256", "rsa_signature_4096_sha384",
    ])
    func `RSA PKCS#1 v1.5`(name: String) throws {
        // Merely acceptable vectors, which have a digest description without NULL, are rejected.
        try check(name) { $0.isValidSignature($1[...], of: $2[...], scheme: .rsa($3)) }
    }

    @Test(arguments: ["ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha256", "ecdsa_secp384r1_sha384"])
    func `ECDSA in DER`(name: String) throws {
        try check(name) { $0.isValidSignature($1[...], of: $2[...], scheme: .ecdsa($3)) }
    }

    @Test(arguments: ["ecdsa_secp256r1_sha256_p1363", "ecdsa_secp384r1_sha384_p1363"])
    func `ECDSA as two numbers side by side`(name: String) throws {
        try check(name) { $0.isValidConcatenatedSignature($1[...], of: $2[...], algorithm: $3) }
    }

    private func check(
        _ name: String,
        _ isValid: (_ key: PublicKey, _ signature: [UInt8], _ message: [UInt8], _ algorithm: DigestAlgorithm) -> Bool
    ) throws {
        let directory = try #require(WycheproofVectors.directory)
        let file = URL(fileURLWithPath: directory).appendingPathComponent("\(name)_test.json")
        let vectors = try JSONDecoder().decode(WycheproofVectors.self, from: Data(contentsOf: file))
        var count = 0
        for group in vectors.testGroups {
            var reader = try BERReader(WycheproofVectors.bytes(group.publicKeyDer)[...], rules: .distinguished)
            let key = try PublicKey(reader.next())
            let algorithm = try #require(DigestAlgorithm(rawValue: group.sha))
            for test in group.tests {
                let accepted = isValid(
                    key, WycheproofVectors.bytes(test.sig), WycheproofVectors.bytes(test.msg), algorithm)
                expectEqual(accepted, test.result == "valid", "\(name), test \(test.tcId): \(test.comment)")
                count += 1
            }
        }
        #expect(count > 200)
    }
}

struct WycheproofVectors: Decodable {
    static let directory = ProcessInfo.processInfo.environment["WYCHEPROOF_VECTORS"]

    struct Group: Decodable {
        var publicKeyDer: String
        var sha: String
        var tests: [Vector]
    }

    struct Vector: Decodable {
        var tcId: Int
        var comment: String
        var msg: String
        var sig: String
        var result: String
    }

    var testGroups: [Group]

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
