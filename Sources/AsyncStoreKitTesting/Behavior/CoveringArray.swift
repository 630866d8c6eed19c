/// Positions of switches, a row for each trial, such that any three switches stand in every combination of theirs in some row.
///
/// Most faults that combinations of switches bring to light take two or three of them. Made greedily and without chance: each row is,
/// of all possible ones, the first that has the most combinations which no row before it had.
struct CoveringArray {
    let rows: [[Int]]

    /// - Parameter positions: How many positions each switch has; three switches at least.
    init(positions: [Int]) {
        let triples = Self.triples(of: positions)
        var isCovered = triples.map { triple in Array(repeating: false, count: triple.map { positions[$0] }.reduce(1, *)) }
        // Where a row's combination of three positions is noted.
        func place(of triple: [Int], in row: [Int]) -> Int {
            triple.reduce(0) { $0 * positions[$1] + row[$1] }
        }
        let candidates = positions.reduce([[]]) { rows, count in rows.flatMap { row in (0..<count).map { row + [$0] } } }
        var rows: [[Int]] = []
        while isCovered.contains(where: { $0.contains(false) }) {
            var best: (row: [Int], gain: Int) = ([], 0)
            for row in candidates {
                let gain = triples.indices.count { !isCovered[$0][place(of: triples[$0], in: row)] }
                if gain > best.gain { best = (row, gain) }
            }
            for index in triples.indices { isCovered[index][place(of: triples[index], in: best.row)] = true }
            rows.append(best.row)
        }
        self.rows = rows
    }

    private static func triples(of positions: [Int]) -> [[Int]] {
        let switches = positions.indices
        return switches.flatMap { first in
            switches[(first + 1)...].flatMap { second in switches[(second + 1)...].map { [first, second, $0] } }
        }
    }
}
