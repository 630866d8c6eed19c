import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct CheckCommandTests {
    private static let traces = [
        ("AppStoreSimulator\0", "the module AppStoreSimulator"),
        ("AsyncStoreKitTesting\0", "the module AsyncStoreKitTesting"),
        ("Simulated App Store Test Root", "the simulator's certificates and keys"),
    ]

    @Test func `the command itself contains a simulated App Store`() async throws {
        let binary = try #require(BuiltExecutable.url)
        let run = await CommandRun.of(["check", "--binary", binary.path])
        expectEqual(run.code, .failure)
        for (_, name) in Self.traces { #expect(run.output.contains("contains \(name).")) }
        #expect(run.errors.hasPrefix("store check: customers could buy for free."))
    }

    @Test(arguments: traces)
    func `a trace in an app's folder is found anywhere in a file`(_ trace: String, _ name: String) async throws {
        let file = try TemporaryFile(String(repeating: "x", count: 3_999_990) + trace + "y", name: "Framework")
        let folder = file.url.deletingLastPathComponent()
        try Data("nothing".utf8).write(to: folder.appendingPathComponent("App"))
        let run = await CommandRun.of(["check", "--binary", folder.path])
        expectEqual(run.code, .failure)
        expectEqual(run.output, "\(file.url.resolvingSymlinksInPath().path) contains \(name).\n")
    }

    @Test func `a build without a simulated App Store passes`() async throws {
        let file = try TemporaryFile("AppStoreSimulators", name: "App")
        let run = await CommandRun.of(["check", "--binary", file.path])
        #expect(run.code == .success && run.errors.isEmpty)
        expectEqual(run.output, "\(file.path): 1 file, no simulated App Store.\n")
    }

    @Test func `an unreadable path is an error`() async throws {
        let folder = try TemporaryFile("", name: "x").url.deletingLastPathComponent().appendingPathComponent("empty")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        for path in ["/no/such/app", folder.path, "/dev/null"] {
            let run = await CommandRun.of(["check", "--binary", path])
            #expect(run.code == .noInput && run.output.isEmpty && run.errors.contains(path))
        }
    }
}
