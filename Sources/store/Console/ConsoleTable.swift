/// Rows of text in columns that line up.
package struct ConsoleTable: Sendable {
    /// A column.
    package struct Column: Sendable, Hashable {
        let title: String
        let isTrailing: Bool

        /// - Parameter isTrailing: Whether the cells stand at the right, as numbers do.
        package init(_ title: String, isTrailing: Bool = false) {
            self.title = title
            self.isTrailing = isTrailing
        }
    }

    private let columns: [Column]
    private let rows: [[String]]
    private let hasTitles: Bool
    private let widest: Int

    /// A table with titles. Columns in which no row has anything are left out.
    ///
    /// - Parameter widest: Where a cell is cut: one name must not push everything else off the screen.
    package init(columns: [Column], rows: [[String]], widest: Int = 44) {
        self.widest = widest
        let used = columns.indices.filter { index in rows.contains { $0.indices.contains(index) && !$0[index].isEmpty } }
        self.columns = used.map { columns[$0] }
        self.rows = rows.map { row in used.map { row.indices.contains($0) ? row[$0] : "" } }
        hasTitles = true
    }

    /// A list of two columns without titles: a word, and what there is to say about it.
    package init(rows: [[String]]) {
        columns = [Column(""), Column("")]
        self.rows = rows
        hasTitles = false
        widest = 44
    }

    /// The lines, without blanks at their ends.
    package var lines: [String] {
        let all = (hasTitles ? [columns.map(\.title)] : []) + rows
        // The last column needs no filling, and may be as long as it likes.
        let cells = all.map { row in row.enumerated().map { $0.offset < columns.count - 1 ? cut($0.element) : $0.element.printable } }
        let widths = columns.indices.map { column in cells.map { $0[column].columnCount }.max() ?? 0 }
        return cells.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let filling = String(repeating: " ", count: widths[column] - cell.columnCount)
                line += columns[column].isTrailing ? filling + cell : cell + filling
                if column < row.count - 1 { line += "  " }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private func cut(_ cell: String) -> String {
        let cell = cell.printable
        guard cell.columnCount > widest else { return cell }
        var kept = ""
        var width = 0
        for character in cell {
            width += String(character).columnCount
            guard width < widest else { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
