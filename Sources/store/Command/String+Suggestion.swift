extension String {
    /// The text with a period at its end, unless the text has one.
    var asSentence: String { hasSuffix(".") ? self : self + "." }

    /// The text in quotation marks, cut to 60 characters, for error messages.
    package var shown: String {
        count > 60 ? "\"\(prefix(59))…\"" : "\"\(self)\""
    }

    /// Returns a question to append to a message, such as `; did you mean demo?`; empty if no word is similar.
    package func suggestion(among words: [String]) -> String {
        guard count <= 40 else { return "" }
        // At least four letters: two dashes begin every option.
        let begun = words.filter { count >= 4 && $0.hasPrefix(self) }
        if begun.count == 1 { return "; did you mean \(begun[0])?" }
        let nearest = words.map { (word: $0, distance: distance(to: $0)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= Swift.min(2, max(1, count / 3)) else { return "" }
        return "; did you mean \(nearest.word)?"
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbors between two words
    /// (optimal string alignment).
    private func distance(to other: String) -> Int {
        let (mine, theirs) = (Array(lowercased()), Array(other.lowercased()))
        var rows = [Array(0...theirs.count)]
        for (row, letter) in mine.enumerated() {
            var next = [row + 1]
            for (column, otherLetter) in theirs.enumerated() {
                let change = letter == otherLetter ? 0 : 1
                var best = Swift.min(rows[row][column] + change, rows[row][column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == theirs[column - 1], mine[row - 1] == otherLetter {
                    best = Swift.min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[mine.count][theirs.count]
    }
}
