import TestHarness
import Testing
import store

@Suite(.bounded) struct ArgumentGrammarTests {
    private static let grammar = ArgumentGrammar(
        command: "test", summary: "Tests.", operands: [.init("PRODUCT", "What.")],
        options: [
            .init("--configuration", value: "FILE", isRequired: true, "Where."),
            .init("--quantity", value: "N", "How many."),
            .init("--ask-to-buy", "Whether."),
        ], notes: ["More."])

    private func parse(_ arguments: String...) throws -> ParsedArguments { try Self.grammar.parse(arguments) }

    @Test func `values come after their option, or after an equals sign`() throws {
        let expected = ParsedArguments(
            operands: ["pro"], values: ["--configuration": "a=b", "--quantity": "3"], flags: ["--ask-to-buy"])
        expectEqual(try parse("pro", "--configuration", "a=b", "--quantity", "3", "--ask-to-buy"), expected)
        expectEqual(try parse("--ask-to-buy", "--quantity=3", "--configuration=a=b", "pro"), expected)
    }

    @Test func `a value may begin with one dash, and one dash alone is an operand`() throws {
        let parsed = try parse("-", "--quantity", "-1009", "--configuration", "-")
        expectEqual(parsed, ParsedArguments(operands: ["-"], values: ["--configuration": "-", "--quantity": "-1009"]))
    }

    @Test func `all arguments after two dashes are operands`() throws {
        expectEqual(try parse("--configuration", "x", "--", "--quantity").operands, ["--quantity"])
    }

    @Test(arguments: [
        ([], "PRODUCT is missing"),
        (["pro"], "--configuration FILE is missing"),
        (["pro", "coins"], "unexpected argument \"coins\""),
        (["pro", "--configuration", "x", "--", "--help"], "unexpected argument \"--help\""),
        (["", "--configuration", "x"], "PRODUCT is empty"),
        (["pro", "--configuration"], "--configuration needs a value: --configuration FILE"),
        (["pro", "--configuration", "--quantity", "3"], "--configuration needs a value: --configuration FILE"),
        (["pro", "--configuration="], "the value of --configuration is empty; expected FILE"),
        (["pro", "--configuration", ""], "the value of --configuration is empty; expected FILE"),
        (["pro", "--quantity", "1", "--quantity=2"], "--quantity appears twice"),
        (["pro", "--ask-to-buy", "--ask-to-buy"], "--ask-to-buy appears twice"),
        (["pro", "--ask-to-buy=no"], "--ask-to-buy takes no value, not \"no\""),
        (["pro", "--quantty", "3"], "there is no option \"--quantty\"; did you mean --quantity?"),
        (["pro", "--config", "x"], "there is no option \"--config\"; did you mean --configuration?"),
        (["pro", "--frobnicate"], "there is no option \"--frobnicate\""),
        (["pro", "-q"], "there is no option \"-q\""),
        (["pro", "--=x"], "there is no option \"--\""),
    ])
    func `a wrong argument is named`(arguments: [String], message: String) {
        #expect(throws: CommandFailure.usage(message)) { try Self.grammar.parse(arguments) }
    }

    @Test func `a long argument is cut in the message`() {
        let error = #expect(throws: CommandFailure.self) {
            try Self.grammar.parse(["pro", String(repeating: "x", count: 5000)])
        }
        expectEqual(error?.message, "unexpected argument \"\(String(repeating: "x", count: 59))…\"")
    }

    @Test func `a request for help can be anywhere, but not after two dashes`() {
        #expect(ArgumentGrammar.asksForHelp(["pro", "--bogus", "--help"]))
        #expect(ArgumentGrammar.asksForHelp(["-h"]))
        #expect(!ArgumentGrammar.asksForHelp(["pro", "--", "--help"]))
        #expect(!ArgumentGrammar.asksForHelp([]))
    }

    @Test func `the help names every argument, with optional arguments in brackets`() {
        let help = Self.grammar.help(columns: 80)
        expectEqual(help.first, "Usage: store test PRODUCT --configuration FILE [--quantity N] [--ask-to-buy]")
        #expect(help.contains("  --quantity N          How many."))
        #expect(help.contains("  PRODUCT               What."))
        expectEqual(help.last, "More.")
    }

    @Test(arguments: [
        ("dmeo", "; did you mean demo?"), ("demonstrate", ""), ("d", ""), ("purchas", "; did you mean purchase?"),
        ("DEMO", "; did you mean demo?"), ("", ""), (String(repeating: "demo", count: 1000), ""),
    ])
    func `only a similar word is suggested`(word: String, suggestion: String) {
        expectEqual(word.suggestion(among: ["demo", "purchase"]), suggestion)
    }
}
