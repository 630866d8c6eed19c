package import Foundation

/// Another program, run to its end: a shell, an interpreter, this package's own executable.
package enum ChildProcess {
    /// What a program left.
    package struct Result: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// Why a program did not do what was asked of it.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Runs a program that must succeed.
    /// - Returns: what it printed.
    @discardableResult
    package static func output(of executable: URL, _ arguments: [String], in directory: URL? = nil) throws -> String {
        let result = try run(executable, arguments, in: directory)
        guard result.status == 0 else {
            throw Failure(description: "\(executable.lastPathComponent) ended with \(result.status): \(result.errors)")
        }
        return result.output
    }
}
