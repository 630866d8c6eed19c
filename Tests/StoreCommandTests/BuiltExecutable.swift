import Foundation
import TestHarness

/// Runs the executable as a process.
enum BuiltExecutable {
    /// The executable, beside the tests; `nil` if it isn't built.
    static let url = ChildProcess.builtExecutable(named: "store")

    /// Runs the executable, and waits for its end.
    static func run(_ arguments: String...) throws -> ChildProcess.Result {
        guard let url else { throw ChildProcess.Failure(description: "the executable isn't built") }
        return try ChildProcess.run(url, arguments)
    }
}
