import TestHarness
import Testing
import store

@Suite(.bounded, .enabled(if: BuiltExecutable.url != nil, "the executable has not been built")) struct ExecutableTests {
    @Test func `the process says what the command says, in plain text when it is not on a terminal`() async throws {
        let process = try BuiltExecutable.run("demo")
        let command = await CommandRun.of("demo")
        expectEqual(process.status, 0)
        expectEqual(process.output, command.output)
        #expect(process.errors.isEmpty)
    }

    @Test func `exit codes reach the shell, errors go to standard error`() async throws {
        let wrong = try BuiltExecutable.run("dmeo")
        expectEqual(wrong.status, 64)
        #expect(wrong.output.isEmpty)
        expectEqual(wrong.errors, "store: there is no command \"dmeo\"; did you mean demo? See 'store --help'.\n")
        expectEqual(try BuiltExecutable.run("demo", "--configuration", "/no/such/file").status, 66)
        let file = try TemporaryFile(products: [TemporaryFile.product("pro", "NonConsumable")])
        expectEqual(try BuiltExecutable.run("purchase", "pro", "--fail", "3", "--configuration", file.path).status, 1)
    }
}
