import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct TimeTests {
    private let store = SimulatedAppStore.stepped()
    private let log = OrderLog<String>()

    private func date(_ text: String) throws -> Date { try Date("\(text)T00:00:00Z", strategy: .iso8601) }

    @Test(arguments: [
        (SimulatedPeriod.months(2), "2026-03-01"), (.day(1), "2026-01-02"), (.weeks(3), "2026-01-22"),
        (.year(1), "2027-01-01"),
        (.days(0), "2026-01-01"),
    ])
    func `the clock is advanced by periods of the calendar`(period: SimulatedPeriod, end: String) throws {
        store.behavior.timeRate = .oneSecondIsOneDay
        store.advance(by: period)
        expectEqual(store.now, try date(end))
    }

    @Test func `the clock is advanced to a date, and never back`() throws {
        store.advance(to: try date("2026-05-05"))
        expectEqual(store.now, try date("2026-05-05"))
        store.advance(to: try date("2026-05-04"))
        for seconds: TimeInterval in [0, -1, -100, .nan, -.infinity] { store.advance(by: seconds) }
        store.advance(to: Date(timeIntervalSince1970: .nan))
        expectEqual(store.now, try date("2026-05-05"))
        store.advance(to: .distantFuture)
        #expect(store.now <= (try date("2126-05-06")))
    }

    @Test func `a timer is called once, at its time, and not before`() {
        let (store, log) = (store, log)
        let due = store.now.addingTimeInterval(10)
        store.schedule(at: due) { log.append("called at \(store.now == due)") }
        store.advance(by: 9.5)
        #expect(log.values.isEmpty)
        store.advance(by: 100)
        store.advance(by: 100)
        expectEqual(log.values, ["called at true"])
        expectEqual(store.now, due.addingTimeInterval(199.5))
    }

    @Test func `timers are called in the order of their dates, and equal dates in the order of their creation`() {
        for (name, seconds) in [("c", 3.0), ("a", 1), ("b1", 2), ("b2", 2), ("late", 50)] {
            store.schedule(at: store.now.addingTimeInterval(seconds)) { [log] in log.append(name) }
        }
        store.advance(by: 10)
        expectEqual(log.values, ["a", "b1", "b2", "c"])
    }

    @Test func `a timer can set another timer, which is called in the same advance`() {
        let (store, log) = (store, log)
        let start = store.now
        store.schedule(at: start.addingTimeInterval(1)) {
            log.append("first")
            store.schedule(at: start.addingTimeInterval(2)) { log.append("second") }
            store.schedule(at: start.addingTimeInterval(5)) { log.append("too late") }
        }
        store.advance(by: 4)
        expectEqual(log.values, ["first", "second"])
    }

    @Test func `a timer with a past date is called immediately and can't be canceled`() {
        let timer = store.schedule(at: store.now) { [log] in log.append("at once") }
        expectEqual(log.values, ["at once"])
        #expect(!timer.cancel())
        store.advance(by: 10)
        expectEqual(log.values, ["at once"])
    }

    @Test func `a canceled timer isn't called`() {
        let timer = store.schedule(at: store.now.addingTimeInterval(1)) { [log] in log.append("called") }
        let other = store.schedule(at: store.now.addingTimeInterval(1)) { [log] in log.append("other") }
        #expect(timer.cancel())
        #expect(!timer.cancel())
        store.advance(by: 10)
        expectEqual(log.values, ["other"])
        #expect(!other.cancel())
    }

    @Test func `a timer's handler sees earlier renewals, not later ones`() {
        let (store, log) = (store, log)
        store.own("monthly")
        for day in [30.0, 32] {
            store.schedule(at: store.now.addingTimeInterval(day * 86_400)) {
                log.append("\(store.allTransactions().count)")
            }
        }
        store.advance(by: .months(2))
        expectEqual(log.values, ["1", "2"])
        expectEqual(store.allTransactions().count, 3)
    }

    @Test func `the next event is a renewal or a timer, whichever comes first`() throws {
        expectEqual(store.nextEventDate, nil)
        store.own("monthly")
        expectEqual(store.nextEventDate, try date("2026-02-01"))
        let timer = store.schedule(at: try date("2026-01-05")) {}
        expectEqual(store.nextEventDate, try date("2026-01-05"))
        timer.cancel()
        try store.disableAutoRenew(of: "monthly")
        expectEqual(store.nextEventDate, try date("2026-02-01"))
        store.advance(by: .months(1))
        expectEqual(store.nextEventDate, nil)
    }

    @Test func `timers survive a launch, a reset and the end of the history`() {
        store.schedule(at: store.now.addingTimeInterval(1)) { [log] in log.append("called") }
        _ = store.launch()
        store.resetToDefaultState()
        store.clearTransactions()
        store.advance(by: 1)
        expectEqual(log.values, ["called"])
    }
}
