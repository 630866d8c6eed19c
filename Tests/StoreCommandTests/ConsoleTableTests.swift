import TestHarness
import Testing
import store

@Suite(.bounded) struct ConsoleTableTests {
    @Test func `columns line up, numbers at the right`() {
        let table = ConsoleTable(
            columns: [.init("Name"), .init("Price", isTrailing: true), .init("Period")],
            rows: [["Coins", "$0.99", ""], ["A year of everything", "$1,299.00", "1 year"]])
        expectEqual(
            table.lines,
            [
                "Name                      Price  Period",
                "Coins                     $0.99",
                "A year of everything  $1,299.00  1 year",
            ])
    }

    @Test func `wide letters take two columns, and joined ones are one`() {
        let table = ConsoleTable(
            columns: [.init("Name"), .init("X")], rows: [["日本", "1"], ["👩‍👩‍👧a", "2"], ["e\u{301}", "3"], ["abcd", "4"]])
        expectEqual(table.lines, ["Name  X", "日本  1", "👩‍👩‍👧a   2", "e\u{301}     3", "abcd  4"])
    }

    @Test func `a column in which no row has anything is left out`() {
        let table = ConsoleTable(columns: [.init("A"), .init("B"), .init("C")], rows: [["1", "", "3"], ["4"]])
        expectEqual(table.lines, ["A  C", "1  3", "4"])
    }

    @Test func `a cell that is too long is cut, the last column is not`() {
        let long = String(repeating: "x", count: 200)
        let table = ConsoleTable(columns: [.init("A"), .init("B")], rows: [[long, long]])
        expectEqual(table.lines, ["A" + String(repeating: " ", count: 45) + "B", "\(String(repeating: "x", count: 43))…  \(long)"])
    }

    @Test func `a line feed in a cell stays in its line`() {
        let table = ConsoleTable(columns: [.init("A"), .init("B")], rows: [["1\n2", "3"]])
        expectEqual(table.lines, ["A    B", "1�2  3"])
    }

    @Test func `no rows are only titles that nothing stands under`() {
        expectEqual(ConsoleTable(columns: [.init("A")], rows: []).lines, [""])
    }
}
