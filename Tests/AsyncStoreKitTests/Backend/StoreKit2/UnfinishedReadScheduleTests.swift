import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct UnfinishedReadScheduleTests {
    private var queue = StoreKit2Queue(absenceInterval: 10, memo: DecodedTransactions())
    private var schedule = UnfinishedReadSchedule()

    private mutating func begin(at second: TimeInterval) -> StoreKit2Queue.Read {
        let read = queue.beginRead(at: Date(timeIntervalSince1970: second))
        schedule.readStarted(read)
        return read
    }

    private mutating func requestRead(at second: TimeInterval) -> Bool {
        schedule.requestRead(at: Date(timeIntervalSince1970: second))
    }

    @Test mutating func `a read without a request during it is the last one`() {
        expectEqual(requestRead(at: 100), true)
        let read = begin(at: 100)
        expectEqual(schedule.readEnded(read), false)
        expectEqual(requestRead(at: 101), true, "the read has ended")
    }

    @Test mutating func `requests during a read cause one more read after it`() {
        let read = begin(at: 100)
        expectEqual([requestRead(at: 100), requestRead(at: 129.9)], [false, false])
        expectEqual(schedule.readEnded(read), true)
        expectEqual(schedule.readEnded(read), false, "a read ends once")
    }

    @Test(arguments: [130, 99])
    mutating func `a read begins beside one without an answer for 30 seconds, or with a later date`(
        second: TimeInterval
    ) {
        let silent = begin(at: 100)
        expectEqual(requestRead(at: 101), false)
        expectEqual(requestRead(at: second), true)
        let other = begin(at: second)
        expectEqual(schedule.readEnded(silent), false, "a later read runs")
        expectEqual(schedule.readEnded(other), false, "the other read was the requested one")
    }
}
