import AsyncStoreKit
import store

/// What a command said, and how it ended.
struct CommandRun: Equatable {
    let code: ExitCode
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The lines of an act of the demo, without the indentation.
    func act(_ number: Int) -> [String] {
        let begin = lines.firstIndex { $0.hasPrefix("\(number). ") } ?? lines.endIndex
        return lines[begin...].dropFirst().prefix { !$0.isEmpty }.map { String($0.drop { $0 == " " }) }
    }

    /// Runs the whole executable in this process.
    static func of(_ arguments: String..., isColored: Bool = false, redraws: Bool = false) async -> CommandRun {
        await of(arguments, isColored: isColored, redraws: redraws)
    }

    static func of(_ arguments: [String], isColored: Bool = false, redraws: Bool = false) async -> CommandRun {
        let (output, errors) = (Locked(""), Locked(""))
        let console = console(isColored: isColored, redraws: redraws, output, errors)
        let code = await StoreCommand.run(arguments, console: console)
        return CommandRun(code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 })
    }

    /// What a command says when it is run directly, without colors; a failure is an error line.
    static func recording(_ command: (Console) throws(CommandFailure) -> ExitCode) -> CommandRun {
        let (output, errors) = (Locked(""), Locked(""))
        let console = console(isColored: false, redraws: false, output, errors)
        let code: ExitCode
        do throws(CommandFailure) {
            code = try command(console)
        } catch {
            console.error(error.message)
            code = error.exitCode
        }
        return CommandRun(code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 })
    }

    private static func console(isColored: Bool, redraws: Bool, _ output: Locked<String>, _ errors: Locked<String>) -> Console {
        Console(
            isColored: isColored, redraws: redraws,
            write: { text in output.withLock { $0 += text } },
            writeError: { text in errors.withLock { $0 += text } })
    }
}
