/// Why a command gives up: one line for the person at the terminal, one number for the shell.
package struct CommandFailure: Error, Sendable, Hashable {
    /// The number.
    package let exitCode: ExitCode
    /// The line.
    package let message: String

    package init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// An argument that makes no sense. The line also says how to get help.
    package static func usage(_ message: String) -> CommandFailure {
        CommandFailure(.usage, message)
    }
}
