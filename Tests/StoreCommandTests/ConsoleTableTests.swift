import TestHarness
import Testing
import store

@Suite(.bounded) struct ConsoleTableTests {
    /// A table and its lines.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let table: ConsoleTable
        let width: Int
        let lines: [String]

        /// - Parameter titles: The titles of the columns. The column of a title with a colon contains numbers.
        init(
            _ name: String, _ titles: [String], _ rows: [[String]], indent: Int = 0, width: Int = 300,
            _ lines: [String]
        ) {
            testDescription = name
            let columns = titles.map { title in
                title.hasSuffix(":")
                    ? ConsoleTable.Column(String(title.dropLast()), isTrailing: true) : ConsoleTable.Column(title)
            }
            table =
                titles.isEmpty
                ? ConsoleTable(rows: rows, indent: indent) : ConsoleTable(columns: columns, rows: rows, indent: indent)
            self.width = width
            self.lines = lines
        }
    }

    private static let long = String(repeating: "x", count: 200)
    private static let options = [["-h", "Prints this help, and then ends."], ["--configuration FILE", "A file."]]

    static let cases = [
        Case(
            "columns are aligned, numbers to the right", ["Name", "Price:", "Period"],
            [["Coins", "$0.99", ""], ["A year of everything", "$1,299.00", "1 year"]],
            [
                "Name                      Price  Period",
                "Coins                     $0.99",
                "A year of everything  $1,299.00  1 year",
            ]),
        Case(
            "wide letters take two columns, and joined letters take the columns of one", ["Name", "X"],
            [["日本", "1"], ["👩‍👩‍👧a", "2"], ["e\u{301}", "3"], ["abcd", "4"]],
            ["Name  X", "日本  1", "👩‍👩‍👧a   2", "e\u{301}     3", "abcd  4"]),
        Case("an empty column is left out", ["A", "B", "C"], [["1", "", "3"], ["4"]], ["A  C", "1  3", "4"]),
        Case(
            "a cell that is too long is cut, the last column is not", ["A", "B"], [[long, long]],
            ["A" + String(repeating: " ", count: 45) + "B", "\(String(repeating: "x", count: 43))…  \(long)"]),
        Case("a line feed in a cell is replaced", ["A", "B"], [["1\n2", "3"]], ["A    B", "1�2  3"]),
        Case("a table without rows has no titles", ["A"], [], width: 80, [""]),
        Case(
            "a table that is too wide becomes a list", ["Name", "Price:", "Notes"],
            [["Coins", "$0.99", "for a game that has many of them"], ["Map", "", ""]], indent: 2, width: 40,
            [
                "  Name   Coins", "  Price  $0.99", "  Notes  for a game that has many of", "         them", "",
                "  Name  Map",
            ]),
        Case(
            "a long explanation continues in its column", [], [options[0]], indent: 2, width: 24,
            ["  -h  Prints this help,", "      and then ends."]),
        Case(
            "a long explanation continues below its term", [], options, indent: 2, width: 30,
            ["  -h", "      Prints this help, and", "      then ends.", "  --configuration FILE", "      A file."]),
    ]

    @Test(arguments: cases) func `a table fits the width`(test: Case) {
        expectEqual(test.table.lines(width: test.width), test.lines)
    }
}
