import AsyncStoreKit
import store

/// What a command said, and how it ended.
struct CommandRun: Equatable {
    let code: ExitCode
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// Runs the whole executable in this process.
    static func of(_ arguments: String..., isColored: Bool = false) async -> CommandRun {
        await of(arguments, isColored: isColored)
    }

    static func of(_ arguments: [String], isColored: Bool = false) async -> CommandRun {
        let (output, errors) = (Locked(""), Locked(""))
        let console = Console(
            isColored: isColored,
            write: { text in output.withLock { $0 += text } },
            writeError: { text in errors.withLock { $0 += text } })
        let code = await StoreCommand.run(arguments, console: console)
        return CommandRun(code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 })
    }
}
