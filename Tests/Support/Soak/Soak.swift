import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// The soak test: many runs, one seed each.
package enum Soak {
    private static let environment = ProcessInfo.processInfo.environment

    /// The seeds in tenths, so that a slow machine shows its progress. `SOAK_SEED` runs one seed, and `SOAKS` that many
    /// seeds instead of 50. With both, the seeds start at `SOAK_SEED`.
    package static let tenths: [[UInt64]] = {
        let seed = environment["SOAK_SEED"].flatMap(UInt64.init)
        let wanted = environment["SOAKS"].flatMap(Int.init)
        if let seed, wanted == nil { return [[seed]] }
        let count = UInt64(max(10, wanted ?? 50))
        let first = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("Soak runs: \(count), the first is SOAK_SEED=\(first)")
        return (0..<10).map { tenth in (0..<count).filter { $0 % 10 == tenth }.map { first &+ $0 } }
    }()

    /// The numbers of the invariants that count, such as "1,4,5"; all of them without `SOAK_INVARIANTS`.
    private static let numbers = environment["SOAK_INVARIANTS"].map { Set($0.split(separator: ",").map(String.init)) }

    /// Runs a tenth of the seeds, and returns the violations of the first failing seed; `nil` if no seed fails. With
    /// `SOAK_SURVEY`, prints every violation and continues.
    /// - Throws: ``WaitExpired`` if a run doesn't end.
    package static func play(
        _ tenth: Int, over engine: String, saysWhatIsAnswered: Bool = false, makeBackend: @escaping SoakRun.MakeBackend
    ) async throws -> String? {
        for seed in tenths[tenth] {
            let all = try await withDeadline("the end of SOAK_SEED=\(seed) over \(engine)", within: 60) {
                await SoakRun(seed: seed, saysWhatIsAnswered: saysWhatIsAnswered, makeBackend: makeBackend).run()
            }
            let violations = all.filter { numbers?.contains($0.invariant.number) ?? true }
            if environment["SOAK_SURVEY"] != nil {
                for violation in violations { print("SOAK \(engine) SOAK_SEED=\(seed): \(violation)") }
            } else if !violations.isEmpty {
                let list = violations.prefix(5).map { "\n- \($0)" }.joined()
                return "SOAK_SEED=\(seed) over \(engine), \(violations.count) violations:\(list)"
            }
        }
        return nil
    }
}
