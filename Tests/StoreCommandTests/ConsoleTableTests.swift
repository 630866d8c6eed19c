import TestHarness
import Testing
import store

@Suite(.bounded) struct ConsoleTableTests {
    @Test func `columns are aligned, numbers to the right`() {
        let table = ConsoleTable(
            columns: [.init("Name"), .init("Price", isTrailing: true), .init("Period")],
            rows: [["Coins", "$0.99", ""], ["A year of everything", "$1,299.00", "1 year"]])
        expectEqual(
            table.lines(width: 300),
            [
                "Name                      Price  Period",
                "Coins                     $0.99",
                "A year of everything  $1,299.00  1 year",
            ])
    }

    @Test func `wide letters take two columns, and joined letters count once`() {
        let table = ConsoleTable(
            columns: [.init("Name"), .init("X")],
            rows: [["日本", "1"], ["👩‍👩‍👧a", "2"], ["e\u{301}", "3"], ["abcd", "4"]])
        expectEqual(table.lines(width: 300), ["Name  X", "日本  1", "👩‍👩‍👧a   2", "e\u{301}     3", "abcd  4"])
    }

    @Test func `an empty column is left out`() {
        let table = ConsoleTable(columns: [.init("A"), .init("B"), .init("C")], rows: [["1", "", "3"], ["4"]])
        expectEqual(table.lines(width: 300), ["A  C", "1  3", "4"])
    }

    @Test func `a cell that is too long is cut, the last column is not`() {
        let long = String(repeating: "x", count: 200)
        let table = ConsoleTable(columns: [.init("A"), .init("B")], rows: [[long, long]])
        expectEqual(
            table.lines(width: 300),
            ["A" + String(repeating: " ", count: 45) + "B", "\(String(repeating: "x", count: 43))…  \(long)"])
    }

    @Test func `a line feed in a cell is replaced`() {
        let table = ConsoleTable(columns: [.init("A"), .init("B")], rows: [["1\n2", "3"]])
        expectEqual(table.lines(width: 300), ["A    B", "1�2  3"])
    }

    @Test func `a table without rows has no titles`() {
        expectEqual(ConsoleTable(columns: [.init("A")], rows: []).lines(width: 80), [""])
    }

    @Test func `a table that is too wide becomes a list`() {
        let table = ConsoleTable(
            columns: [.init("Name"), .init("Price", isTrailing: true), .init("Notes")],
            rows: [["Coins", "$0.99", "for a game that has many of them"], ["Map", "", ""]], indent: 2)
        expectEqual(
            table.lines(width: 40),
            [
                "  Name   Coins", "  Price  $0.99", "  Notes  for a game that has many of", "         them", "",
                "  Name  Map",
            ])
    }

    @Test func `a long explanation continues in its column, or below its term`() {
        let rows = [["-h", "Prints this help, and then ends."], ["--configuration FILE", "A file."]]
        expectEqual(
            ConsoleTable(rows: [rows[0]], indent: 2).lines(width: 24),
            ["  -h  Prints this help,", "      and then ends."])
        expectEqual(
            ConsoleTable(rows: rows, indent: 2).lines(width: 30),
            ["  -h", "      Prints this help, and", "      then ends.", "  --configuration FILE", "      A file."])
    }
}
