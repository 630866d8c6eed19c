#if os(Linux)
    import Foundation
    import TestHarness
    import Testing

    /// The scenes of the sample app's hosted tests, over the session of this package's StoreKit Test. A process has one
    /// App Store and one engine, so each run has a process of its own.
    @Suite(.bounded) struct SessionSceneTests {
        private let folder = TemporaryFolder()

        @Test(arguments: ["storeKit2", "storeKit1"]) func `every scene passes over a session`(engine: String) throws {
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            let run = try ChildProcess.run(
                URL(fileURLWithPath: CommandLine.arguments[0]),
                [
                    "--testing-library", "swift-testing", "--filter", "HostedSceneTests", "--attachments-path",
                    folder.url.path,
                ], environment: ["SCENE_ENGINE": engine])
            let issues = (run.output + run.errors).split(separator: "\n").filter {
                $0.contains("recorded an issue") || $0.contains("↳")
            }
            #expect(run.status == 0, "\(issues.joined(separator: "\n"))")
            let table = try String(contentsOf: folder.file("Conformance.md"), encoding: .utf8)
            #expect(table.contains("The scenes over \(engine) on Linux"))
            let summary = try #require(table.split(separator: "\n").last)
            #expect(summary.wholeMatch(of: /played (\d+) of \1/) != nil, "\(summary)")
        }
    }
#endif
