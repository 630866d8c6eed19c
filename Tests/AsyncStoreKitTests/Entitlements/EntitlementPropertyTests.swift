import Foundation
import Support
import TestHarness
import Testing

/// Random histories of customers, on devices that answer badly.
@Suite(.bounded) struct EntitlementPropertyTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The seeds in slices. `ENTITLEMENT_CASE` selects the first seed, and `ENTITLEMENT_CASES` the number of seeds.
    private static let slices = seedSlices(
        of: "Entitlement cases", seed: environment["ENTITLEMENT_CASE"], count: environment["ENTITLEMENT_CASES"],
        usualCount: 500, size: 100)

    @Test(arguments: slices.indices)
    func `access is never lost without evidence, and is right once the device tells the truth`(slice: Int) async {
        for seed in Self.slices[slice] {
            var history = EntitlementCase(seed: seed)
            history.play(steps: 15)
            if let violation = history.violation {
                Issue.record("ENTITLEMENT_CASE=\(seed): \(violation) after \(history.story.joined(separator: ", "))")
                return
            }
            await Task.yield()
        }
    }
}
