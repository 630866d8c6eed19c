import TestHarness
import Testing
import store

@Suite(.bounded) struct StoreCommandTests {
    @Test(arguments: [["--help"], ["-h"], ["help"]])
    func `help names every command`(arguments: [String]) async {
        let run = await CommandRun.of(arguments)
        expectEqual(run.code, .success)
        #expect(run.errors.isEmpty)
        expectEqual(run.lines.first, "Usage: store COMMAND [ARGUMENTS]")
        for command in ["demo", "receipt", "check"] {
            #expect(run.lines.contains { $0.hasPrefix("  \(command) ") }, "\(command) is not in the help")
        }
    }

    @Test(arguments: ["demo", "receipt", "check"])
    func `every command prints its help in three ways`(command: String) async {
        let run = await CommandRun.of(command, "--help")
        expectEqual(run.code, .success)
        #expect(run.output.hasPrefix("Usage: store \(command) "))
        #expect(run.errors.isEmpty)
        expectEqual(await CommandRun.of("help", command), run)
        expectEqual(await CommandRun.of(command, "-h"), run)
    }

    @Test(arguments: [
        (
            [],
            "store: the command is missing; the commands are demo, receipt, check. See 'store --help'.\n"
        ),
        (["dmeo"], "store: there is no command \"dmeo\"; did you mean demo? See 'store --help'.\n"),
        (["sell"], "store: there is no command \"sell\". See 'store --help'.\n"),
        (["--verison"], "store: there is no option \"--verison\"; did you mean --version? See 'store --help'.\n"),
        (["help", "sell"], "store: there is no command \"sell\". See 'store --help'.\n"),
        ([""], "store: there is no command \"\". See 'store --help'.\n"),
        (["a\u{1B}[2J\nb"], "store: there is no command \"a�[2J�b\". See 'store --help'.\n"),
        (["demo", "twice"], "store demo: unexpected argument \"twice\". See 'store demo --help'.\n"),
        (["receipt"], "store receipt: FILE is missing. See 'store receipt --help'.\n"),
        (["receipt", "a", "b"], "store receipt: unexpected argument \"b\". See 'store receipt --help'.\n"),
        (
            ["receipt", "a", "--bundel-id", "x"],
            "store receipt: there is no option \"--bundel-id\"; did you mean --bundle-id? See 'store receipt --help'.\n"
        ),
        (
            ["receipt", "a", "--bundle-id", "--json"],
            "store receipt: --bundle-id needs a value: --bundle-id ID. See 'store receipt --help'.\n"
        ),
    ])
    func `a wrong argument gets one line on standard error, and code 64`(arguments: [String], line: String) async {
        let run = await CommandRun.of(arguments)
        expectEqual(run, CommandRun(code: .usage, output: "", errors: line))
        expectEqual(run.code.rawValue, 64)
    }

    @Test func `the version is one line`() async {
        expectEqual(
            await CommandRun.of("--version"),
            CommandRun(code: .success, output: "store \(StoreCommand.version)\n", errors: ""))
    }

    @Test func `exit codes are those of sysexits`() {
        expectEqual(ExitCode.allCases.map(\.rawValue), [0, 1, 64, 65, 66])
    }
}
