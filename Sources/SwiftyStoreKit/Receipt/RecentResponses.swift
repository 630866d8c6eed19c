import AsyncStoreKit
package import Foundation

/// The validated answers of the last minutes, and Apple's time, which is right when the device's clock is wrong.
///
/// An answer is identified by its receipt object, which is kept alive here. Its age is measured by a clock that can't be set.
/// An answer that came while the device's clock was ahead is identified in later launches by its request date.
// @unchecked because: everything that changes is only touched while `lock` is held, and receipts are compared by identity only.
package final class RecentResponses: @unchecked Sendable {
    package static let shared = RecentResponses(file: ClockFile.standard)

    private struct Answer {
        let receipt: AnyObject
        /// When it came, in seconds since the device was started.
        let arrival: TimeInterval
    }

    /// For how long an answer counts as fresh, in seconds.
    package static let lifetime: TimeInterval = 600
    /// How far the device's clock may be behind an answer before it counts as set back, in seconds. A wrong time zone stays below.
    package static let tolerance: TimeInterval = 86_400
    /// How far a date may be from the device's clock and still be meant as the present, in seconds.
    private static let present: TimeInterval = 60

    /// For how long the device's clock at an answer's arrival tells by how much the clock is ahead, in seconds.
    package static let offsetLifetime: TimeInterval = 30 * 86_400
    /// How many arrivals are kept.
    private static let arrivalLimit = 8

    private let file: ClockFile?
    private let uptime: @Sendable () -> TimeInterval
    private let now: @Sendable () -> Date
    private let lock = NSLock()
    private var answers: [Answer] = []
    /// Apple's latest time, with the seconds since the device was started.
    private var time: (told: Date, uptime: TimeInterval)?
    /// Answers that came while the device's clock was ahead of them, the latest first; `nil` before the file is read.
    private var arrivals: [ClockFile.Arrival]?

    /// - Parameter file: Where arrivals are kept for later launches; `nil` keeps them nowhere.
    package init(
        file: ClockFile? = nil,
        uptime: @escaping @Sendable () -> TimeInterval = { SystemStoreClock.monotonicTime },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.file = file
        self.uptime = uptime
        self.now = now
    }

    /// Notes an answer that a validator has given.
    /// - Parameter tellsTime: Whether Apple itself has just made the answer, so that its date is the present for as long as the process
    ///   runs. An app's own server may have kept an older answer.
    package func note(_ info: ReceiptInfo, tellsTime: Bool = false) {
        guard let receipt = info["receipt"] else { return }
        let answer = Answer(receipt: receipt, arrival: uptime())
        let request = Self.requestDate(of: info)
        let device = now()
        lock.withLock {
            answers = Array(([answer] + answers.filter { $0.receipt !== receipt }).prefix(4))
            guard let request else { return }
            if tellsTime { time = (request, answer.arrival) }
            note(ClockFile.Arrival(request: request, device: device, tellsTime: tellsTime))
        }
    }

    /// Keeps an arrival if the clock was ahead. If it wasn't, it has been put right, and nothing that was kept counts any longer.
    private func note(_ arrival: ClockFile.Arrival) {
        let known = knownArrivals()
        let isAhead = arrival.device.timeIntervalSince(arrival.request) > Self.tolerance
        let kept = isAhead ? Array(([arrival] + known.filter { $0.request != arrival.request }).prefix(Self.arrivalLimit)) : []
        guard kept != known else { return }
        arrivals = kept
        file?.save(kept)
    }

    /// Returns the kept arrivals. Call it while the lock is held.
    private func knownArrivals() -> [ClockFile.Arrival] {
        let known = arrivals ?? file?.load() ?? []
        arrivals = known
        return known
    }

    /// Returns the present by the kept arrivals: the date of the answer, or of the latest answer that Apple made, and the time since its
    /// arrival. `nil` if no arrival shows that the device's clock is ahead, or if the clock has been set back since.
    private func present(for request: Date, _ device: Date) -> Date? {
        let known = lock.withLock { knownArrivals() }.filter { arrival in
            (0..<Self.offsetLifetime).contains(device.timeIntervalSince(arrival.device))
        }
        guard let arrival = known.first(where: { $0.request == request }) ?? known.first(where: \.tellsTime) else { return nil }
        return max(request, arrival.request + device.timeIntervalSince(arrival.device))
    }

    /// Returns the date by which to judge a receipt, for a question about a date.
    ///
    /// A question about another date than the present uses that date. The present is the date of the answer, if the answer arrived within
    /// ten minutes. Otherwise it's Apple's time, if Apple has answered in this process. If the device's clock was ahead when the answer
    /// arrived, in this launch or an earlier one, only the time since then is the device's. In all other cases the present is the device's
    /// date, or the request date of the receipt if the device's date is more than a day earlier.
    package func date(toJudge info: ReceiptInfo, for date: Date) -> Date {
        let device = now()
        guard abs(date.timeIntervalSince(device)) < Self.present, let request = Self.requestDate(of: info) else { return date }
        if let age = age(of: info), age < Self.lifetime { return request.addingTimeInterval(age) }
        if let time = lock.withLock({ time }) { return time.told.addingTimeInterval(max(0, uptime() - time.uptime)) }
        if let present = present(for: request, device) { return present }
        return request.timeIntervalSince(date) > Self.tolerance ? request : date
    }

    /// Returns the age of an answer in seconds; `nil` if the answer didn't come to this process, or came long ago.
    private func age(of info: ReceiptInfo) -> TimeInterval? {
        guard let receipt = info["receipt"] else { return nil }
        let now = uptime()
        return lock.withLock { answers.first { $0.receipt === receipt } }.map { max(0, now - $0.arrival) }
    }

    /// When Apple was asked, by its own clock.
    private static func requestDate(of info: ReceiptInfo) -> Date? {
        let value = (info["receipt"] as? NSDictionary)?.object(forKey: "request_date_ms")
        let milliseconds = (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap(Double.init)
        return milliseconds.map { Date(timeIntervalSince1970: $0 / 1_000) }
    }
}
