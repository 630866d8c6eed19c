import AppReceipt
import TestHarness
import Testing

@Suite(.bounded) struct PositionsTests {
    private struct Row: Equatable {
        let key: Int
        let place: Int
    }

    @Test(arguments: [0, 1, 2, 3, 17, 64, 500])
    func `a list is sorted as the standard library sorts it, and equals keep their order`(
        count: Int
    ) {
        var random = SystemRandomNumberGenerator()
        let rows = (0..<count).map { Row(key: Int.random(in: 0..<20, using: &random), place: $0) }
        let sorted = rows.inOrder { $0.key < $1.key }
        expectEqual(sorted, rows.sorted { ($0.key, $0.place) < ($1.key, $1.place) })
        expectEqual(Positions.sorted(count) { rows[$0].key < rows[$1].key }.map { rows[$0] }, sorted)
    }

    @Test func `a set is put in order`() {
        expectEqual(Set(["pro", "coins", "club"]).inOrder(by: <), ["club", "coins", "pro"])
        expectEqual([3, 1, 2].inOrder(by: >), [3, 2, 1])
    }
}
