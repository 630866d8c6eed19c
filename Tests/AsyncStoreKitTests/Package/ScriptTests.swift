import TestHarness
import Testing

/// The scripts with which other tests are written.
@Suite(.bounded) struct ScriptTests {
    /// Plays a script whose step `add` adds numbers, and whose step `sum` returns their sum.
    private func difference(_ steps: String) -> String? {
        var sum = 0
        return Script("a sum", steps).firstDifference { step in
            switch step.verb {
            case "add":
                sum += step.arguments.compactMap { Int($0) }.reduce(0, +)
                return nil
            case "sum": return "\(sum)"
            default: return step.unknown
            }
        }
    }

    @Test func `a script with the expected results passes`() {
        expectEqual(difference("sum → 0, add 1 2, sum → 3\nadd 4, sum → 7"), nil)
    }

    @Test(arguments: [
        ("add 1, sum → 2", "“sum → 1” instead of “sum → 2”, after: add 1"),
        ("sum → 1, add 1, sum → 1", "“sum → 0” instead of “sum → 1”"),
        ("sum, sum → 0", "“sum → 0” instead of “sum”"), ("add 1 → 1", "“add 1” instead of “add 1 → 1”"),
        ("double, sum → 0", "“double → an unknown step” instead of “double”"),
        ("add 1", "no step with a result"), ("", "no step with a result"),
    ])
    func `a script fails at the first other result, and without any result`(steps: String, expected: String) {
        expectEqual(difference(steps), expected)
    }
}
