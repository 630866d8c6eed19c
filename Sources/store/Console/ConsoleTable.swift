/// Rows of text in aligned columns.
package struct ConsoleTable: Sendable {
    package struct Column: Sendable, Hashable {
        let title: String
        let isTrailing: Bool

        /// Creates a column.
        ///
        /// - Parameters:
        ///   - title: The title.
        ///   - isTrailing: Whether the cells are aligned to the right, as numbers are.
        package init(_ title: String, isTrailing: Bool = false) {
            self.title = title
            self.isTrailing = isTrailing
        }
    }

    private let columns: [Column]
    private let rows: [[String]]
    private let hasTitles: Bool
    private let indent: String
    private let widest: Int

    /// Creates a table with titles. Columns without any text are left out.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - rows: The cells, row by row.
    ///   - indent: The number of spaces before each line.
    ///   - widest: The width at which a cell is cut. One long name must not push other columns off the screen.
    package init(columns: [Column], rows: [[String]], indent: Int = 0, widest: Int = 44) {
        self.indent = String(repeating: " ", count: indent)
        self.widest = widest
        let used = columns.indices.filter { index in rows.contains { $0.indices.contains(index) && !$0[index].isEmpty }
        }
        self.columns = used.map { columns[$0] }
        self.rows = rows.map { row in used.map { row.indices.contains($0) ? row[$0] : "" } }
        hasTitles = true
    }

    /// Creates a list of two columns without titles: terms and their explanations.
    package init(rows: [[String]], indent: Int = 0) {
        columns = [Column(""), Column("")]
        self.rows = rows
        hasTitles = false
        self.indent = String(repeating: " ", count: indent)
        widest = 44
    }

    /// Returns the lines, without trailing spaces.
    ///
    /// A table that is too wide becomes a list: each row is a group of lines with a title and a cell.
    /// - Parameter width: The number of columns of the terminal.
    package func lines(width: Int) -> [String] {
        let lines = alignedLines
        guard lines.contains(where: { $0.columnCount > width }) else { return lines }
        return hasTitles ? groups(width: width) : list(rows, width: width)
    }

    private var alignedLines: [String] {
        let all = (hasTitles ? [columns.map(\.title)] : []) + rows
        // The last column isn't cut.
        let cells = all.map { row in
            row.enumerated().map { $0.offset < columns.count - 1 ? cut($0.element) : $0.element.printable }
        }
        let widths = columns.indices.map { column in cells.map { $0[column].columnCount }.max() ?? 0 }
        return cells.map { row in
            var line = indent
            for (column, cell) in row.enumerated() {
                let filling = String(repeating: " ", count: widths[column] - cell.columnCount)
                line += columns[column].isTrailing ? filling + cell : cell + filling
                if column < row.count - 1 { line += "  " }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Returns each row as a list, with an empty line between rows.
    private func groups(width: Int) -> [String] {
        let groups = rows.map { row in
            list(zip(columns.map(\.title), row).filter { !$1.isEmpty }.map { [$0, $1] }, width: width)
        }
        return Array(groups.joined(separator: [""]))
    }

    /// Returns a list. Long explanations continue in their own column, or below the term if the column is too narrow.
    private func list(_ rows: [[String]], width: Int) -> [String] {
        let terms = rows.map { cut($0.first ?? "") }
        let column = indent.count + (terms.map(\.columnCount).max() ?? 0) + 2
        let isNarrow = column > width / 2
        return zip(terms, rows).flatMap { term, row -> [String] in
            let text = row.dropFirst().first ?? ""
            if isNarrow {
                let inner = indent + "    "
                return [indent + term] + (text.isEmpty ? [] : (inner + text).wrapped(to: width, indent: inner.count))
            }
            let filling = String(repeating: " ", count: column - indent.count - term.columnCount)
            var line = indent + term + filling + text.printable
            while line.last == " " { line.removeLast() }
            return line.wrapped(to: width, indent: column)
        }
    }

    private func cut(_ cell: String) -> String {
        let cell = cell.printable
        guard cell.columnCount > widest else { return cell }
        return cell.cut(to: widest)
    }
}

extension String {
    /// Returns the text, or its beginning and an ellipsis if it's wider than a number of columns.
    func cut(to columns: Int) -> String {
        guard columnCount > columns else { return self }
        var kept = ""
        var width = 0
        for character in self {
            width += String(character).columnCount
            guard width < columns else { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
