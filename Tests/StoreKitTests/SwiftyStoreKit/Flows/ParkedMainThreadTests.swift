import Foundation
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests the block API in a process with a blocked main thread.
@Suite(.bounded) struct ParkedMainThreadTests {
    @Test func `a tool whose main thread is blocked gets completions in the background, and a launching app waits`()
        throws
    {
        let folder = URL(fileURLWithPath: try #require(CommandLine.arguments.first)).deletingLastPathComponent()
        let result = try ChildProcess.run(folder.appendingPathComponent("ParkedMainThread"), [])
        expectEqual(
            result.output.split(separator: "\n").map(String.init),
            [
                "tool, on the main thread: false", "app is launching", "app, on the main thread: true",
                "unfinished: pro, on the main thread: false", "products: coins, on the main thread: false",
                "purchase: coins, on the main thread: false", "restore: done, on the main thread: false",
            ])
    }

    @Test func `apps and their extensions have a package type, and tools have none`() {
        #expect(CompletionQueue.isApp(packageType: "APPL") && CompletionQueue.isApp(packageType: "XPC!"))
        #expect(!CompletionQueue.isApp(packageType: nil) && !CompletionQueue.isApp(packageType: "BNDL"))
        #expect(!CompletionQueue.isApp(Bundle.main), "the tests run in a tool")
    }
}
