/// Why a command fails: one line for the person at the terminal, one number for the shell.
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

/// What the process tells the shell; the numbers from 64 on are those of BSD's `sysexits.h`.
package enum ExitCode: Int32, Sendable, CaseIterable {
    /// It did what it was asked.
    case success = 0
    /// It could not: a purchase failed, a receipt is not genuine.
    case failure = 1
    /// The arguments make no sense (`EX_USAGE`).
    case usage = 64
    /// What was to be examined is malformed (`EX_DATAERR`).
    case malformed = 65
    /// A file that is needed cannot be read, or cannot be used (`EX_NOINPUT`).
    case noInput = 66
}
