import AppStoreSimulator
import AsyncStoreKit
import Foundation
import Support
import TestHarness
import Testing

/// Kills an app at every step of its deliveries, and launches it again.
@Suite(.bounded) struct CrashTests {
    /// The kills of all parts together, and the seed. `CRASHES` and `CRASH_SEED` set them.
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["CRASHES"].flatMap(Int.init) ?? 16
    private static let seed: UInt64 = {
        let seed = environment["CRASH_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("Crash tests: \(kills) kills, CRASH_SEED=\(seed)")
        return seed
    }()
    private static let parts = max(2, kills / 100)

    /// The steps of a delivery, in their order. From `credited` to `replace`, the app has the coins and the ledger
    /// doesn't know.
    private static let steps = [
        "read", "deliver", "credited", "lock", "write", "replace", "written", "finish",
    ]
    private static let unprotected: Set<String> = ["credited", "lock", "write", "replace"]

    /// One customer's app: launches that may be killed, and a last one that isn't.
    private struct Customer {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "crashes-\(UUID().uuidString)", isDirectory: true)
        let executable: URL
        var history: [String] = []
        /// How many purchases the app can have credited when it was killed, and that the ledger didn't have.
        var repeats = 0

        init() throws {
            executable = try #require(ChildProcess.builtExecutable(named: "CrashingApp"))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        /// Launches the app. Returns whether it was killed.
        mutating func launch(_ engine: String, _ manner: String, endingAt step: String, after passes: Int) throws
            -> Bool
        {
            history.append("\(engine) \(manner) \(step) \(passes)")
            let result = try ChildProcess.run(executable, [folder.path, engine, manner, step, "\(passes)"])
            let isKilled = result.status == SIGKILL
            if isKilled {
                repeats += manner == "delivery" ? 4 : manner == "closure" ? 2 : unprotected.contains(step) ? 1 : 0
            }
            if !isKilled, result.output != "done\n" {
                throw ChildProcess.Failure(
                    description: "\(history): \(result.status) \(result.output) \(result.errors)")
            }
            return isKilled
        }

        func lines(of file: String) -> [String] {
            let data = try? Data(contentsOf: folder.appendingPathComponent(file))
            return String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    @Test(arguments: 0..<parts) func `every purchase is credited once, whenever the app is killed`(part: Int) throws {
        var random = ScheduleGenerator(seed: Self.seed &+ UInt64(part))
        var kills = 0
        while kills < Self.kills / Self.parts {
            var customer = try Customer()
            defer { try? FileManager.default.removeItem(at: customer.folder) }
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let engine = random.chance(50) ? "storeKit1" : "storeKit2"
                let manner = ["delivery", "loop", "closure"].randomElement(using: &random) ?? "loop"
                let step = Self.steps.randomElement(using: &random) ?? "deliver"
                if try customer.launch(engine, manner, endingAt: step, after: Int.random(in: 0...3, using: &random)) {
                    kills += 1
                }
            }
            #expect(try customer.launch("storeKit1", "loop", endingAt: "none", after: 0) == false)
            let (credits, calls) = (customer.lines(of: "credits"), customer.lines(of: "calls"))
            expectEqual(credits.count, 4, "nothing is lost: \(customer.history)")
            expectEqual(Set(credits).count, 4, "nothing is credited twice: \(customer.history)")
            let repeated = calls.count - Set(calls).count
            #expect(repeated <= customer.repeats, "only a kill before the key is written repeats: \(customer.history)")
            #expect(try customer.launch("storeKit2", "delivery", endingAt: "none", after: 0) == false)
            expectEqual(customer.lines(of: "calls"), calls, "a recorded purchase is only finished: \(customer.history)")
        }
    }

    @Test(arguments: steps) func `a kill at a step repeats only what the ledger doesn't know`(step: String) throws {
        var customer = try Customer()
        defer { try? FileManager.default.removeItem(at: customer.folder) }
        #expect(try customer.launch("storeKit2", "loop", endingAt: step, after: 0), "the step is reached")
        #expect(try customer.launch("storeKit1", "loop", endingAt: "none", after: 0) == false)
        let calls = customer.lines(of: "calls")
        expectEqual(customer.lines(of: "credits").count, 4)
        expectEqual(calls.count - Set(calls).count, Self.unprotected.contains(step) ? 1 : 0)
    }
}
