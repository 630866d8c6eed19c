import Foundation
import Support
import TestHarness
import Testing

/// Random histories of customers, on devices that answer badly.
@Suite(.bounded) struct EntitlementPropertyTests {
    /// `ENTITLEMENT_CASE` runs one seed, `ENTITLEMENT_CASES` sets the number of seeds instead of 500.
    private static let tenths: [[UInt64]] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["ENTITLEMENT_CASE"].flatMap(UInt64.init) { return [[seed]] }
        let count = UInt64(max(10, environment["ENTITLEMENT_CASES"].flatMap(Int.init) ?? 500))
        let first = UInt64.random(in: 0...UInt64.max / 2)
        print("Entitlement cases: \(count), the first is ENTITLEMENT_CASE=\(first)")
        return (0..<10).map { tenth in (0..<count).filter { $0 % 10 == tenth }.map { first &+ $0 } }
    }()

    @Test(arguments: tenths.indices)
    func `access is never lost without evidence, and is right once the device tells the truth`(tenth: Int) async {
        for seed in Self.tenths[tenth] {
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
