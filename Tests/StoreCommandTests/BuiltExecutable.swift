import Foundation
import TestHarness

/// The executable as a process of its own.
enum BuiltExecutable {
    /// Where it lies; `nil` when it has not been built.
    static let url = ChildProcess.builtExecutable(named: "store")

    /// Runs it to its end.
    static func run(_ arguments: String...) throws -> ChildProcess.Result {
        guard let url else { throw ChildProcess.Failure(description: "the executable has not been built") }
        return try ChildProcess.run(url, arguments)
    }
}
