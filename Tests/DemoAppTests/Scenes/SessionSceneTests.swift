#if os(Linux)
    import Foundation
    import TestHarness
    import Testing

    /// The scenes of the sample app's hosted tests, over the session of this package's StoreKit Test. A process has one
    /// App Store and one engine, so each run has a process of its own.
    @Suite(.timeLimit(.minutes(5))) struct SessionSceneTests {
        private let folder = TemporaryFolder()

        @Test(arguments: ["storeKit2", "storeKit1"])
        func `every scene passes over a session`(engine: String) async throws {
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            let output = folder.file("output")
            try Data().write(to: output)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = [
                "--testing-library", "swift-testing", "--filter", "HostedSceneTests", "--attachments-path",
                folder.url.path,
            ]
            process.environment = ProcessInfo.processInfo.environment.merging(["SCENE_ENGINE": engine]) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = process.standardOutput
            let status = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { (end: CheckedContinuation<Int32, any Error>) in
                    process.terminationHandler = { end.resume(returning: $0.terminationStatus) }
                    do { try process.run() } catch { end.resume(throwing: error) }
                }
            } onCancel: {
                process.terminate()
            }
            let issues = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").filter {
                $0.contains("recorded an issue") || $0.contains("↳")
            }
            #expect(status == 0, "\(issues.joined(separator: "\n"))")
            let table = try String(contentsOf: folder.file("Conformance.md"), encoding: .utf8)
            #expect(table.contains("The scenes over \(engine) on Linux"))
            let summary = try #require(table.split(separator: "\n").last)
            #expect(summary.wholeMatch(of: /played (\d+) of \1/) != nil, "\(summary)")
        }
    }
#endif
