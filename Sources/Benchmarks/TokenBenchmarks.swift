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
        reportForged(root)
        guard let start = ResidentMemory.current, verify(tokens, known + unknown, count: 5_000),
            let before = ResidentMemory.current, verify(tokens, known, count: count), let after = ResidentMemory.current
        else { return print("  memory: not measured") }
        let growth = [before - start, after - before].map { String(format: "%.1f MB", Double($0) / 1e6) }
        print("  memory: \(growth[0]) more after the first 5 000, \(growth[1]) more after \(count) others")
    }

    private static func token(_ number: Int, padding: Int = 0) -> String {
        let payload = """
            {"transactionId":"\(2_000_000_000 + number)","originalTransactionId":"2000000000","bundleId":"com.example.app","productId":"weekly",
            "purchaseDate":1767139200000,"originalPurchaseDate":1767139200000,"expiresDate":1767744000000,"signedDate":1767139200000,
            "environment":"Sandbox","type":"Auto-Renewable Subscription","quantity":1,"inAppOwnershipType":"PURCHASED","storefront":"DEU",
            "x":"\(String(repeating: "x", count: padding))"}
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

    /// Compares a token of 7 kB with a wrong signature to a genuine one with a chain that isn't cached. For each, the
    /// verifier reads three certificates and checks one signature. It checks the chain of the genuine one only.
    private static func reportForged(_ root: ReceiptTrustAnchor) {
        let genuine = token(1, padding: 1_500)
        let forged = String(genuine.dropLast(8)) + "AAAAAAAA"
        // One verifier for each token, so that no chain is cached.
        let verifiers = (0..<100).compactMap { number -> SignedTransactionVerifier? in
            let digest = Data(repeating: UInt8(number), count: 31) + [1]
            return (try? ReceiptTrustAnchor.fingerprint(sha256: digest)).map { verifier([root, $0]) }
        }
        func seconds(_ text: String, isGenuine: Bool) -> Double? {
            let start = Machine.processorSeconds
            for verifier in verifiers where ((try? verifier.transaction(jws: text)) != nil) != isGenuine { return nil }
            return (Machine.processorSeconds - start) / Double(verifiers.count)
        }
        guard let wrong = seconds(forged, isGenuine: false), let right = seconds(genuine, isGenuine: true) else {
            return print("  a forged token: not measured")
        }
        let figures = [wrong, right].map { String(format: "%.0f µs", $0 * 1e6) }
        print(
            "  a forged token of \(forged.utf8.count) bytes: \(figures[0]), a genuine one under an unknown chain: "
                + "\(figures[1]), " + String(format: "%.2f × (goal: at most 3)", wrong / right))
    }

    private static func report(_ name: String, _ rate: Double?, goal: Int) {
        let figure = rate.map { String(format: "%.0f a second", $0) } ?? "not measured"
        print("  \(name): \(figure) (goal: \(goal))")
    }
}
