import AsyncStoreKit
package import Foundation

/// The validated responses of the last minutes, and Apple's time, which corrects a wrong device clock.
///
/// A response is identified by its receipt object, which is kept alive here. A monotonic clock measures its age. A
/// response that arrived while the device's clock was ahead is identified in later launches by its request date.
package final class RecentResponses: Sendable {
    package static let shared = RecentResponses(file: ClockFile.standard)

    private struct Answer {
        let receipt: AnyObject
        /// The time of the arrival, in seconds since the device started.
        let arrival: TimeInterval
    }

    private struct State {
        var answers: [Answer] = []
        /// Apple's latest time, with the seconds since the device started.
        var serverTime: (date: Date, uptime: TimeInterval)?
        /// The responses that arrived while the device's clock was ahead, latest first; `nil` before the file is read.
        var arrivals: [ClockFile.Arrival]?
    }

    /// The time for which a response is treated as recent, in seconds.
    package static let lifetime: TimeInterval = 600
    /// The difference between a response and the device's clock above which the clock is treated as wrong, in seconds.
    /// A wrong time zone causes a smaller difference.
    package static let tolerance: TimeInterval = 86_400
    /// The difference from the device's clock below which a date means the current time, in seconds.
    private static let currentTimeTolerance: TimeInterval = 60

    /// The time for which a recorded arrival shows how far the device's clock is ahead, in seconds.
    package static let offsetLifetime: TimeInterval = 30 * 86_400
    /// The maximum number of recorded arrivals.
    private static let arrivalLimit = 8

    private let file: ClockFile?
    private let uptime: @Sendable () -> TimeInterval
    private let now: @Sendable () -> Date
    private let state = Locked(State())

    /// Creates an empty record of responses.
    ///
    /// - Parameters:
    ///   - file: Stores arrivals for later launches; `nil` stores none.
    ///   - uptime: Returns the seconds since the device started.
    ///   - now: Returns the date of the device's clock.
    package init(
        file: ClockFile? = nil,
        uptime: @escaping @Sendable () -> TimeInterval = { SystemStoreClock.monotonicTime },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.file = file
        self.uptime = uptime
        self.now = now
    }

    /// Records a validator's response.
    ///
    /// - Parameters:
    ///   - info: The response.
    ///   - tellsTime: Whether the response came directly from Apple, so that its date is the current time. An app's own
    ///     server may return a stored response.
    package func record(_ info: ReceiptInfo, tellsTime: Bool = false) {
        guard let receipt = info["receipt"] else { return }
        let arrival = uptime()
        let request = Self.requestDate(of: info)
        let device = now()
        state.withLock { state in
            let answer = Answer(receipt: receipt, arrival: arrival)
            state.answers = Array(([answer] + state.answers.filter { $0.receipt !== receipt }).prefix(4))
            guard let request else { return }
            if tellsTime { state.serverTime = (request, arrival) }
            record(ClockFile.Arrival(request: request, device: device, tellsTime: tellsTime), in: &state)
        }
    }

    /// Records an arrival if the clock was ahead. Otherwise the clock is correct now, and all recorded arrivals are
    /// removed.
    private func record(_ arrival: ClockFile.Arrival, in state: inout State) {
        let known = knownArrivals(&state)
        let isAhead = arrival.device.timeIntervalSince(arrival.request) > Self.tolerance
        let kept =
            isAhead ? Array(([arrival] + known.filter { $0.request != arrival.request }).prefix(Self.arrivalLimit)) : []
        guard kept != known else { return }
        state.arrivals = kept
        file?.save(kept)
    }

    /// Returns the recorded arrivals. A file that can't be read is read again for the next question.
    private func knownArrivals(_ state: inout State) -> [ClockFile.Arrival] {
        if state.arrivals == nil { state.arrivals = file.map { $0.load() } ?? [] }
        return state.arrivals ?? []
    }

    /// Returns the current time by the recorded arrivals: the date of the response, or of Apple's latest response, plus
    /// the time since its arrival. Returns `nil` if no arrival shows that the device's clock is ahead, or if the clock
    /// was set back since.
    private func currentTime(for request: Date, _ device: Date) -> Date? {
        let known = state.withLock { knownArrivals(&$0) }.filter { arrival in
            (0..<Self.offsetLifetime).contains(device.timeIntervalSince(arrival.device))
        }
        guard let arrival = known.first(where: { $0.request == request }) ?? known.first(where: \.tellsTime) else {
            return nil
        }
        return max(request, arrival.request + device.timeIntervalSince(arrival.device))
    }

    /// Returns the date for evaluating a receipt, for a question about a date.
    ///
    /// A question about another date than the current time uses that date. The current time is:
    ///
    /// 1. The date of the response plus its age, if the response arrived within the last ten minutes.
    /// 2. Apple's time, if Apple responded in this process.
    /// 3. The date of the response plus the elapsed device time, if the device's clock was ahead when the response
    ///   arrived, in
    ///    this launch or an earlier one.
    /// 4. The request date of the receipt, if the device's date is more than a day earlier.
    /// 5. The device's date.
    package func evaluationDate(of info: ReceiptInfo, for date: Date) -> Date {
        let device = now()
        guard abs(date.timeIntervalSince(device)) < Self.currentTimeTolerance,
            let request = Self.requestDate(of: info)
        else { return date }
        if let age = age(of: info), age < Self.lifetime { return request.addingTimeInterval(age) }
        if let time = state.withLock({ $0.serverTime }) {
            return time.date.addingTimeInterval(max(0, uptime() - time.uptime))
        }
        if let current = currentTime(for: request, device) { return current }
        return request.timeIntervalSince(date) > Self.tolerance ? request : date
    }

    /// Returns the age of a response in seconds; `nil` if this process didn't receive it, or received it long ago.
    private func age(of info: ReceiptInfo) -> TimeInterval? {
        guard let receipt = info["receipt"] else { return nil }
        let now = uptime()
        return state.withLock { $0.answers.first { $0.receipt === receipt }?.arrival }.map { max(0, now - $0) }
    }

    /// Returns the date of the request, by Apple's clock.
    private static func requestDate(of info: ReceiptInfo) -> Date? {
        let value = (info["receipt"] as? NSDictionary)?.object(forKey: "request_date_ms")
        let milliseconds = (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap(Double.init)
        return milliseconds.map { Date(timeIntervalSince1970: $0 / 1_000) }
    }
}
