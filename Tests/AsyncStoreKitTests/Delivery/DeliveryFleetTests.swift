import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The requests of two thousand customers whose server is down, counted without a network: a server's answer depends
/// only on the time, so that customers can be simulated in sequence.
@Suite(.bounded) struct DeliveryFleetTests {
    /// How a server answers during its outage.
    enum Outage: CaseIterable, Sendable {
        case connectionRefused, unavailable, retryAfterTheEnd
    }

    private static let customers = 2_000
    private static let day: TimeInterval = 86_400

    @Test(arguments: Outage.allCases)
    func `an outage of three days causes few requests, and its end no peak`(outage: Outage) {
        let end = 3 * Self.day
        var requests = [Int](repeating: 0, count: Int(end + 2 * 3_600) / 60)
        var most = 0
        for number in 0..<Self.customers {
            // Most purchases are made on the first day.
            let arrival = Double(number) / Double(Self.customers) * Self.day
            var customer = Customer(number: number, outage: outage, end: end)
            customer.buy(at: arrival)
            customer.play(until: end + 2 * 3_600)
            #expect(customer.open == 0, "customer \(number) has an open purchase two hours after the end")
            for time in customer.requests { requests[Int(time) / 60] += 1 }
            let byDay = Dictionary(grouping: customer.requests.filter { $0 < end }) { Int(($0 - arrival) / Self.day) }
            most = max(most, byDay.values.map(\.count).max() ?? 0)
        }
        #expect(most <= 40, "the most requests of a purchase in a day")
        let during = requests[..<(Int(end) / 60)].reduce(0, +)
        // Every purchase is open for two and a half days on average.
        #expect(Double(during) / Double(Self.customers) / 2.5 <= 40)
        let after = requests[(Int(end) / 60)..<(Int(end + 3_600) / 60)]
        let mean = Double(after.reduce(0, +)) / Double(after.count)
        #expect(mean > 1)
        let peak = after.max() ?? 0
        #expect(Double(peak) <= 3 * mean, "\(peak) requests in a minute, \(mean) on average")
    }

    @Test func `a backlog of a hundred purchases causes no more requests than one purchase`() {
        let end = 3 * Self.day
        var (one, many) = (Customer(number: 1, end: end), Customer(number: 1, end: end))
        one.buy(at: 0)
        for _ in 0..<100 { many.buy(at: 0) }
        one.play(until: end)
        many.play(until: end)
        // At most four are on their way when the first one fails, and one more is sent because it arrives.
        #expect(many.requests.count <= one.requests.count + 10)
        many.play(until: end + 3_600)
        expectEqual(many.open, 0)
    }

    @Test func `after each of ten outages the oldest purchase is delivered within five times its length, or an hour`() {
        for (number, length) in [10.0, 30, 60, 300, 600, 1_800, 3_600, 21_600, 86_400, 259_200].enumerated() {
            let waits = (0..<50).map { seed in
                var customer = Customer(number: number * 50 + seed, end: length)
                customer.buy(at: 0)
                customer.buy(at: length / 2)
                customer.play(until: length + 2 * 3_600)
                return (customer.lastDelivery ?? .infinity) - length
            }
            let longest = waits.max() ?? .infinity
            #expect(longest <= min(3_600, 5 * length), "\(longest) s after an outage of \(length) s")
        }
    }
}

/// The deliveries of one customer, in the store's order.
private struct Customer {
    private let number: Int
    private let outage: DeliveryFleetTests.Outage
    private let end: TimeInterval
    private let policy = DeliveryRetryPolicy()
    private var machine = DeliveryStateMachine()
    private var serial: UInt64 = 0
    private var time: TimeInterval = 0
    private(set) var open = 0
    /// The times of all requests, in seconds.
    private(set) var requests: [TimeInterval] = []
    private(set) var lastDelivery: TimeInterval?

    init(number: Int, outage: DeliveryFleetTests.Outage = .connectionRefused, end: TimeInterval) {
        self.number = number
        self.outage = outage
        self.end = end
    }

    mutating func buy(at arrival: TimeInterval) {
        play(until: arrival)
        serial += 1
        open += 1
        let job = DeliveryStateMachine.Job(
            id: CallID(), tokens: [.entry(serial)], cause: .unsolicited, origin: .nobody)
        machine.enqueue(job, now: .seconds(time))
        deliver()
    }

    mutating func play(until limit: TimeInterval) {
        while let next = machine.nextDate(at: .seconds(time))?.timeIntervalSince(.seconds(0)), next <= limit {
            time = max(time, next)
            deliver()
        }
        time = max(time, limit)
    }

    private mutating func deliver() {
        let now = Date.seconds(time)
        machine.endPauses(now: now)
        while let job = machine.next(now: now), let ended = machine.deliveryEnded(job.id) {
            requests.append(time)
            guard time < end else {
                machine.serverDecided()
                open -= 1
                lastDelivery = time
                continue
            }
            let answer = DeliveryAnswer(status: outage == .connectionRefused ? nil : 503, summary: "")
            let asked = outage == .retryAfterTheEnd ? end - time : nil
            let (policy, number) = (policy, number)
            _ = machine.retryWithServer(ended, isRequested: asked != nil, now: now) { failures in
                policy.pause(
                    failures: failures, asked: asked, because: answer, key: "2000000\(number)", now: now)
            }
        }
    }
}
