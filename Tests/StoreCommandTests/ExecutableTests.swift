import TestHarness
import Testing
import store

@Suite(.bounded, .enabled(if: BuiltExecutable.url != nil, "build the executable first")) struct ExecutableTests {
    @Test func `without a terminal, the process prints plain text in 80 columns`() async throws {
        let process = try BuiltExecutable.run("demo")
        let command = await CommandRun.of(["demo"], columns: 80)
        expectEqual(process.status, 0)
        expectEqual(process.output, command.output)
        #expect(process.errors.isEmpty)
    }

    @Test func `exit codes reach the shell, errors go to standard error`() async throws {
        let wrong = try BuiltExecutable.run("dmeo")
        expectEqual(wrong.status, 64)
        #expect(wrong.output.isEmpty)
        expectEqual(wrong.errors, "store: there is no command \"dmeo\"; did you mean demo? See 'store --help'.\n")
        expectEqual(try BuiltExecutable.run("receipt", "/no/such/file").status, 66)
        // The process has no input.
        expectEqual(try BuiltExecutable.run("receipt", "-").status, 65)
    }
}
