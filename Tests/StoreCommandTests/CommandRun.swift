import AsyncStoreKit
import Foundation
import store

/// The output of a command, and its exit code.
struct CommandRun: Equatable {
    let code: ExitCode
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    /// The lines, with single spaces.
    var words: [String] { lines.map { $0.split(separator: " ").joined(separator: " ") } }

    /// Returns the lines of a scene of the demo, without indentation.
    func scene(_ number: Int) -> [String] {
        let begin = lines.firstIndex { $0.hasPrefix("\(number). ") } ?? lines.endIndex
        return lines[begin...].dropFirst().prefix { !$0.isEmpty }.map { String($0.drop { $0 == " " }) }
    }

    /// Runs a command in this process. By default, the terminal is wide enough for all lines.
    static func of(_ arguments: String..., isColored: Bool = false) async -> CommandRun {
        await of(arguments, isColored: isColored)
    }

    static func of(
        _ arguments: [String], columns: Int = 200, isColored: Bool = false, input: Data = Data()
    ) async -> CommandRun {
        let (output, errors) = (Locked(""), Locked(""))
        let console = console(columns: columns, isColored: isColored, input: input, output, errors)
        let code = await StoreCommand.run(arguments, console: console)
        return CommandRun(code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 })
    }

    private static let runs = Locked<[[String]: Task<CommandRun, Never>]>([:])

    /// Returns the result of a command whose output never differs. The command runs once for all tests.
    static func shared(_ arguments: String...) async -> CommandRun { await shared(arguments) }

    static func shared(_ arguments: [String]) async -> CommandRun {
        await runs.withLock { runs in
            if let run = runs[arguments] { return run }
            let run = Task { await of(arguments) }
            runs[arguments] = run
            return run
        }.value
    }

    /// Runs a closure that takes a console. A failure becomes an error line.
    static func recording(
        columns: Int = 200, _ command: (Console) throws(CommandFailure) -> ExitCode
    ) -> CommandRun {
        let (output, errors) = (Locked(""), Locked(""))
        let console = console(columns: columns, isColored: false, input: Data(), output, errors)
        let code: ExitCode
        do throws(CommandFailure) {
            code = try command(console)
        } catch {
            console.error(error.message)
            code = error.exitCode
        }
        return CommandRun(code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 })
    }

    private static func console(
        columns: Int, isColored: Bool, input: Data, _ output: Locked<String>, _ errors: Locked<String>
    ) -> Console {
        Console(
            columns: columns, isColored: isColored, standardInput: { input.prefix($0) },
            write: { text in output.withLock { $0 += text } },
            writeError: { text in errors.withLock { $0 += text } })
    }
}
