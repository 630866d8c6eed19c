import TestHarness
import Testing

@testable import AppReceipt

@Suite(.bounded) struct PreparedValueTests {
    @Test func `a value is created once, even if it is nil`() {
        var count = 0
        func make(_ value: Int?) -> Int? {
            count += 1
            return value
        }
        let (some, none) = (PreparedValue<Int>(), PreparedValue<Int>())
        expectEqual([some.value { make(1) }, some.value { make(2) }], [1, 1])
        expectEqual([none.value { make(nil) }, none.value { make(2) }], [nil, nil])
        expectEqual(count, 2)
    }
}
