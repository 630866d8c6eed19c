/// The reason why a command failed.
package struct CommandFailure: Error, Sendable, Hashable {
    package let exitCode: ExitCode
    /// The message for standard error.
    package let message: String

    package init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// Returns a failure for wrong arguments. The printed message ends with a reference to the help.
    package static func usage(_ message: String) -> CommandFailure {
        CommandFailure(.usage, message)
    }
}

/// The exit code of the process; the numbers of 64 and more are those of BSD's `sysexits.h`.
package enum ExitCode: Int32, Sendable, CaseIterable {
    /// The command succeeded.
    case success = 0
    /// The command failed: for example, a purchase failed, or a receipt is not genuine.
    case failure = 1
    /// The arguments are wrong (`EX_USAGE`).
    case usage = 64
    /// The input is malformed (`EX_DATAERR`).
    case malformed = 65
    /// An input file cannot be read or used (`EX_NOINPUT`).
    case noInput = 66
}
