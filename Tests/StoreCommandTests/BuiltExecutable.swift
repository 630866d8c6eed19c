import Foundation
import TestHarness

/// Runs the executable as a process.
enum BuiltExecutable {
    /// The executable, beside the tests; `nil` if it isn't built.
    static let url: URL? = {
        var folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        // On macOS, the tests are inside a bundle.
        for _ in 0..<4 {
            let candidate = folder.appendingPathComponent("store")
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// Runs the executable, and waits for its end.
    static func run(_ arguments: String...) throws -> ChildProcess.Result {
        guard let url else { throw ChildProcess.Failure(description: "the executable isn't built") }
        return try ChildProcess.run(url, arguments)
    }
}
