/// Rows of switch positions that contain every combination of the positions of any three switches.
///
/// Most faults that depend on a combination of switches depend on two or three of them. The algorithm is greedy and
/// deterministic: each row is the first of all rows with the most combinations that no earlier row contains.
struct CoveringArray {
    let rows: [[Int]]

    /// Creates the rows.
    /// - Parameter positions: The number of positions of each switch, for at least three switches.
    init(positions: [Int]) {
        let triples = Self.triples(of: positions)
        var isCovered = triples.map { triple in
            Array(repeating: false, count: triple.map { positions[$0] }.reduce(1, *))
        }
        // Returns the index of a row's combination of three positions.
        func index(of triple: [Int], in row: [Int]) -> Int {
            triple.reduce(0) { $0 * positions[$1] + row[$1] }
        }
        let candidates = positions.reduce([[]]) { rows, count in rows.flatMap { row in (0..<count).map { row + [$0] } }
        }
        var rows: [[Int]] = []
        while isCovered.contains(where: { $0.contains(false) }) {
            var best: (row: [Int], gain: Int) = ([], 0)
            for row in candidates {
                let gain = triples.indices.count { !isCovered[$0][index(of: triples[$0], in: row)] }
                if gain > best.gain { best = (row, gain) }
            }
            for number in triples.indices { isCovered[number][index(of: triples[number], in: best.row)] = true }
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
