import AppReceipt
import AppStoreSimulator
import Foundation

/// Measures the verifications of signed transactions per second on one core, and the memory of many verifications.
enum TokenBenchmarks {
    /// Measures and prints. Verifies `count` tokens to measure memory.
    static func run(count: Int) {
        print("Signed transactions, verified and decoded on one core")
        let tokens = (0..<64).map { token($0) }
        guard let root = try? ReceiptTrustAnchor.certificate(SimulatedJWSIssuer.rootCertificate) else {
            return print("  not measured")
        }
        let known = [verifier([root])]
        // More trust anchors than the cache of verified chains holds, so that no chain is cached when it's used again.
        let unknown = (0..<200).compactMap { number in
            (try? ReceiptTrustAnchor.fingerprint(sha256: Data(repeating: UInt8(number), count: 32))).map {
                verifier([root, $0])
            }
        }
        report("under a known chain", perSecond(tokens, known, count: 2_000), goal: 1_500)
        report("under a chain that is not known", perSecond(tokens, unknown, count: 400), goal: 300)
        guard let start = ResidentMemory.current, verify(tokens, known + unknown, count: 5_000),
            let before = ResidentMemory.current, verify(tokens, known, count: count), let after = ResidentMemory.current
        else { return print("  memory: not measured") }
        let growth = [before - start, after - before].map { String(format: "%.1f MB", Double($0) / 1e6) }
        print("  memory: \(growth[0]) more after the first 5 000, \(growth[1]) more after \(count) others")
    }

    private static func token(_ number: Int) -> String {
        let payload = """
            {"transactionId":"\(2_000_000_000 + number)","originalTransactionId":"2000000000","bundleId":"com.example.app","productId":"weekly",
            "purchaseDate":1767139200000,"originalPurchaseDate":1767139200000,"expiresDate":1767744000000,"signedDate":1767139200000,
            "environment":"Sandbox","type":"Auto-Renewable Subscription","quantity":1,"inAppOwnershipType":"PURCHASED","storefront":"DEU"}
            """
        return SimulatedJWSIssuer().issue(payload: Data(payload.utf8))
    }

    private static func verifier(_ anchors: [ReceiptTrustAnchor]) -> SignedTransactionVerifier {
        SignedTransactionVerifier(bundleID: "com.example.app", environment: .sandbox, trustAnchors: anchors)
    }

    /// Verifies `count` tokens with alternating verifiers, and returns whether all were valid.
    private static func verify(_ tokens: [String], _ verifiers: [SignedTransactionVerifier], count: Int) -> Bool {
        (0..<count).allSatisfy { number in
            (try? verifiers[number % verifiers.count].transaction(jws: tokens[number % tokens.count])) != nil
        }
    }

    /// Returns the median of five rounds, in verifications per second.
    private static func perSecond(_ tokens: [String], _ verifiers: [SignedTransactionVerifier], count: Int) -> Double? {
        var rates: [Double] = []
        for _ in 0..<5 {
            let start = Machine.processorSeconds
            guard verify(tokens, verifiers, count: count) else { return nil }
            rates.append(Double(count) / (Machine.processorSeconds - start))
        }
        return rates.sorted()[2]
    }

    private static func report(_ name: String, _ rate: Double?, goal: Int) {
        let figure = rate.map { String(format: "%.0f a second", $0) } ?? "not measured"
        print("  \(name): \(figure) (goal: \(goal))")
    }
}
