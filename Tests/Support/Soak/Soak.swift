import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// The soak test: many runs, one seed each.
package enum Soak {
    private static let environment = ProcessInfo.processInfo.environment

    /// The seeds in slices. `SOAK_SEED` selects the first seed, and `SOAKS` the number of seeds.
    package static let slices = seedSlices(
        of: "Soak runs", seed: environment["SOAK_SEED"], count: environment["SOAKS"], usualCount: 30, size: 3)

    /// The numbers of the invariants to check, such as "1,4,5"; all of them without `SOAK_INVARIANTS`.
    private static let numbers = environment["SOAK_INVARIANTS"].map { Set($0.split(separator: ",").map(String.init)) }

    /// Plays a slice of the seeds, and returns the violations of the first failing seed; `nil` if no seed fails. With
    /// `SOAK_SURVEY`, prints every violation and continues.
    /// - Throws: ``WaitExpired`` if a run doesn't end.
    package static func play(
        _ slice: Int, over engine: String, saysWhatIsAnswered: Bool = false, makeBackend: @escaping SoakRun.MakeBackend
    ) async throws -> String? {
        for seed in slices[slice] {
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
