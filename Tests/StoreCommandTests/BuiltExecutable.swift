import Foundation
import TestHarness

/// The executable as a process of its own.
enum BuiltExecutable {
    /// Where it lies, beside the tests; `nil` when it has not been built.
    static let url: URL? = {
        var folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        // On macOS the tests are deep inside a bundle.
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

    /// Runs it to its end.
    static func run(_ arguments: String...) throws -> ChildProcess.Result {
        guard let url else { throw ChildProcess.Failure(description: "the executable has not been built") }
        return try ChildProcess.run(url, arguments)
    }
}
