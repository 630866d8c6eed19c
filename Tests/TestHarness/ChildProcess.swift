package import Foundation

/// Runs another program to its end: a shell, an interpreter or this package's executable.
package enum ChildProcess {
    /// The output and the exit status of a program.
    package struct Result: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// The error of a failed program.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Runs a program that must succeed.
    /// - Returns: The standard output.
    @discardableResult
    package static func output(of executable: URL, _ arguments: [String], in directory: URL? = nil) throws -> String {
        let result = try run(executable, arguments, in: directory)
        guard result.status == 0 else {
            throw Failure(description: "\(executable.lastPathComponent) ended with \(result.status): \(result.errors)")
        }
        return result.output
    }
}
