import Foundation
import TestHarness
import Testing

/// Tests the block API in a process with a blocked main thread.
@Suite(.bounded) struct ParkedMainThreadTests {
    @Test func `a tool whose main thread is blocked gets completions in the background`() throws {
        let folder = URL(fileURLWithPath: try #require(CommandLine.arguments.first)).deletingLastPathComponent()
        let result = try ChildProcess.run(folder.appendingPathComponent("ParkedMainThread"), [])
        expectEqual(
            result.output.split(separator: "\n").map(String.init),
            [
                "unfinished: pro, on the main thread: false", "products: coins, on the main thread: false",
                "purchase: coins, on the main thread: false", "restore: done, on the main thread: false",
            ])
    }
}
