import AppStoreSimulator
import Foundation
import ReceiptCryptography

/// Measures signature verification and hashing with this package's primitives, which replace CryptoKit on other
/// platforms, in comparison with the `openssl` command on the same machine.
enum SignatureBenchmarks {
    /// A measured operation and its name in openssl.
    private struct Row {
        var name: String
        var openSSL: String
        var work: () -> Bool
    }

    /// Measures and prints medians of several rounds. Each round measures openssl and this package in turn.
    static func run() {
        print("Signatures and hashes, as a ratio to openssl (goal: at most 3)")
        var ours: [String: [Double]] = [:]
        var theirs: [String: [Double]] = [:]
        let rows = signatureRows() + hashRows()
        for _ in 0..<3 {
            var known = OpenSSLSpeed(["ecdsap256", "ecdsap384", "rsa2048", "rsa4096"]).seconds
            for size in hashedSizes {
                known.merge(OpenSSLSpeed(["sha1", "sha256", "sha512"], byteCount: size).seconds) { $1 }
                guard OpenSSLSpeed.hasHashInstructions else { continue }
                let plain = OpenSSLSpeed(["sha1", "sha256"], byteCount: size, withoutHashInstructions: true).seconds
                for (name, seconds) in plain { known[name + " plain"] = seconds }
            }
            for (name, seconds) in known { theirs[name, default: []].append(seconds) }
            for row in rows { ours[row.name, default: []].append(seconds(row.work)) }
        }
        for row in rows {
            guard let own = ours[row.name].map(median) else { continue }
            report(row.name, own, theirs[row.openSSL].map(median))
            guard let plain = theirs[row.openSSL + " plain"].map(median) else { continue }
            report("    and without the processor's SHA instructions", own, plain)
        }
    }

    private static func signatureRows() -> [Row] {
        let message = Array("in-app".utf8)
        let digest = SHA256.hash(message)
        var rows: [Row] = []
        let keys = [
            (EllipticCurve.p256, SimulatedSigningKeys.transactionLeaf), (.p384, SimulatedSigningKeys.transactionRoot),
        ]
        for (curve, privateKey) in keys {
            guard let privateKey, let signature = privateKey.signature(of: message, .sha256),
                let key = ECDSAPublicKey(curve: curve, uncompressedPoint: privateKey.publicPoint[...])
            else { continue }
            let bits = curve.byteCount * 8
            rows.append(
                Row(name: "  P-\(bits) verification", openSSL: "ecdsap\(bits)") {
                    key.isValidSignature(r: signature.r[...], s: signature.s[...], digest: digest)
                })
        }
        guard let privateKey = SimulatedSigningKeys.leaf, let signature = privateKey.signature(of: message, .sha256),
            let key = RSAPublicKey(modulus: privateKey.modulus[...], exponent: privateKey.exponent[...])
        else { return rows }
        rows.append(
            Row(name: "  RSA-2048 verification", openSSL: "rsa2048") {
                key.isValidSignature(signature[...], digest: digest, algorithm: .sha256)
            })
        rows.append(
            Row(name: "  RSA-2048 verification, reading the key", openSSL: "rsa2048") {
                RSAPublicKey(modulus: privateKey.modulus[...], exponent: privateKey.exponent[...])?
                    .isValidSignature(signature[...], digest: digest, algorithm: .sha256) ?? false
            })
        // The simulator has no key of this length. Rejecting an invalid signature takes the same exponentiation.
        let modulus = privateKey.modulus + privateKey.modulus
        guard let long = RSAPublicKey(modulus: modulus[...], exponent: privateKey.exponent[...]) else { return rows }
        let number = signature + signature
        rows.append(
            Row(name: "  RSA-4096 verification", openSSL: "rsa4096") {
                !long.isValidSignature(number[...], digest: digest, algorithm: .sha256)
            })
        return rows
    }

    private static let hashedSizes = [64, 16_384]

    private static func hashRows() -> [Row] {
        let functions: [(String, String, ([UInt8]) -> [UInt8])] = [
            ("SHA-1", "sha1", { SHA1.hash($0) }), ("SHA-256", "sha256", { SHA256.hash($0) }),
            ("SHA-512", "sha512", { SHA512.hash($0) }),
        ]
        return functions.flatMap { name, openSSL, function in
            hashedSizes.map { size in
                let message = [UInt8](repeating: 7, count: size)
                return Row(name: "  \(name) of \(size) bytes", openSSL: "\(openSSL) \(size)") {
                    !function(message).isEmpty
                }
            }
        }
    }

    /// Returns the processor seconds of one run of `work`, the average of a fifth of a second; infinity if a run fails.
    private static func seconds(_ work: () -> Bool) -> Double {
        var count = 0
        var batch = 1
        let start = Machine.processorSeconds
        var elapsed = 0.0
        while elapsed < 0.2 {
            for _ in 0..<batch where !work() { return .infinity }
            count += batch
            batch = min(batch * 2, 1_000)
            elapsed = Machine.processorSeconds - start
        }
        return elapsed / Double(count)
    }

    private static func median(_ seconds: [Double]) -> Double {
        seconds.sorted()[seconds.count / 2]
    }

    private static func report(_ name: String, _ own: Double, _ other: Double?) {
        let title = name.padding(toLength: 52, withPad: " ", startingAt: 0)
        let figure = String(format: "%9.2f µs", own * 1e6)
        guard let other else { return print("\(title) \(figure)  (openssl: not measured)") }
        print("\(title) \(figure)  openssl \(String(format: "%9.2f µs  %6.2f ×", other * 1e6, own / other))")
    }
}
