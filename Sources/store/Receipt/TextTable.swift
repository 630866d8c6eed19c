/// Columns of text under headings, each as wide as its widest cell.
struct TextTable {
    private let rows: [[String]]

    init(_ headings: [String], _ rows: [[String]]) {
        self.rows = [headings] + rows
    }

    /// The lines, indented by two spaces; a column without any value is left out.
    var lines: [String] {
        let columns = (rows.first ?? []).indices.filter { column in
            rows.dropFirst().contains { $0.indices.contains(column) && !$0[column].isEmpty }
        }
        let widths = columns.map { column in rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(columns, widths).map { column, width in
                let cell = row.indices.contains(column) ? row[column] : ""
                return cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            let line = "  " + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
