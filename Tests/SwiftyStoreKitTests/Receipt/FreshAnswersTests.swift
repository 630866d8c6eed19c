import AppReceipt
import AppStoreServer
import AsyncStoreKit
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// The clock for evaluating a subscription.
@Suite(.bounded) struct FreshAnswersTests {
    private typealias X = ReceiptExamples

    /// A device with its clock and the seconds since its start.
    private final class Device: Sendable {
        /// A value that a test sets and the responses read.
        struct Setting: Sendable {
            private let number: Locked<Double>

            init(_ value: Double) { number = Locked(value) }

            var value: Double {
                get { number.withLock { $0 } }
                nonmutating set { number.withLock { $0 = newValue } }
            }
        }

        let uptime = Setting(1_000)
        let day = Setting(0)

        func answers(_ memory: (any EntitlementCache)? = nil) -> RecentResponses {
            RecentResponses(
                file: memory.map { ClockFile($0) }, uptime: { [uptime] in uptime.value },
                now: { [day] in ReceiptExamples.day(day.value) })
        }
    }

    private let device = Device()

    /// Returns a response on a day, with a period from day 0 to day 30.
    private func answer(askedOn day: Double) -> ReceiptInfo {
        X.info([
            "status": 0, "receipt": ["request_date_ms": X.milliseconds(day), "in_app": [Any]()] as [String: Any],
            "latest_receipt_info": [X.period("weekly", "1", from: 0)],
        ])
    }

    private func isPurchased(_ info: ReceiptInfo, _ answers: RecentResponses, until day: Double? = nil) -> Bool {
        let result = ReceiptQueries.verifySubscriptions(
            ofType: .autoRenewable, productIds: ["weekly"], inReceipt: info, validUntil: X.day(day ?? device.day.value),
            recentResponses: answers)
        if case .purchased = result { return true }
        return false
    }

    @Test func `a clock that is ahead doesn't expire a response that is seconds old`() {
        let (answers, info) = (device.answers(), answer(askedOn: 10))
        device.day.value = 400
        #expect(!isPurchased(info, answers), "it could be an old answer")
        answers.record(info)
        device.uptime.value += 5
        #expect(isPurchased(info, answers))
        let later = answer(askedOn: 29.9999)
        answers.record(later)
        device.uptime.value += 9
        #expect(!isPurchased(later, answers), "time passes")
    }

    @Test func `after ten minutes, a clock that is ahead measures the age of the response for thirty days`() {
        let (answers, info) = (device.answers(), answer(askedOn: 10))
        device.day.value = 400
        answers.record(info)
        device.uptime.value += 600
        #expect(isPurchased(info, answers))
        device.day.value = 419
        #expect(isPurchased(info, answers))
        device.day.value = 421
        #expect(!isPurchased(info, answers), "day 31")
        let early = answer(askedOn: -10)
        device.day.value = 400
        answers.record(early)
        device.uptime.value += 600
        device.day.value = 429
        #expect(isPurchased(early, answers))
        device.day.value = 430
        #expect(!isPurchased(early, answers), "the clock of thirty days ago is unknown")
    }

    @Test(arguments: [true, false])
    func `after a relaunch, a stored response is valid although the clock is ahead`(isApples: Bool) {
        let memory = MemoryCache()
        device.day.value = 400
        device.answers(memory).record(answer(askedOn: 10), tellsTime: isApples)
        // The device was restarted, too.
        device.uptime.value = 5
        device.day.value = 415
        #expect(isPurchased(answer(askedOn: 10), device.answers(memory)))
        expectEqual(
            isPurchased(answer(askedOn: 9), device.answers(memory)), isApples,
            "an earlier one, if Apple reported the time")
        device.day.value = 421
        #expect(!isPurchased(answer(askedOn: 10), device.answers(memory)), "time passes")
    }

    @Test func `a file that can't be read before the first unlock is read later`() {
        let memory = MemoryCache()
        device.day.value = 400
        device.answers(memory).record(answer(askedOn: 10), tellsTime: true)
        device.uptime.value = 5
        memory.isLocked.withLock { $0 = true }
        let answers = device.answers(memory)
        #expect(!isPurchased(answer(askedOn: 10), answers))
        memory.isLocked.withLock { $0 = false }
        #expect(isPurchased(answer(askedOn: 10), answers))
    }

    @Test func `a corrected clock evaluates stored responses again`() {
        let memory = MemoryCache()
        device.day.value = 400
        device.answers(memory).record(answer(askedOn: 10), tellsTime: true)
        device.day.value = 31
        #expect(!isPurchased(answer(askedOn: 10), device.answers(memory)), "the clock was set back")
        device.day.value = 12
        device.answers(memory).record(answer(askedOn: 12), tellsTime: true)
        expectEqual(memory.data.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) }, "[]")
        device.day.value = 401
        #expect(!isPurchased(answer(askedOn: 10), device.answers(memory)), "the clock isn't known to be ahead again")
    }

    @Test func `a correct clock leaves no file, and an unreadable file is treated as empty`() throws {
        let memory = MemoryCache()
        device.day.value = 10
        device.answers(memory).record(answer(askedOn: 10), tellsTime: true)
        expectEqual(memory.data.withLock { $0 }, nil)
        try memory.save(Data("{".utf8))
        device.day.value = 29
        #expect(isPurchased(answer(askedOn: 10), device.answers(memory)))
    }

    @Test func `Apple's response sets the current time of the process, even for stored responses`() {
        let (answers, stored) = (device.answers(), answer(askedOn: 10))
        device.day.value = 400
        #expect(!isPurchased(stored, answers), "the clock isn't known to be ahead")
        answers.record(answer(askedOn: 12), tellsTime: true)
        device.uptime.value += 86_400
        #expect(isPurchased(stored, answers))
        device.uptime.value += 18 * 86_400
        #expect(!isPurchased(stored, answers), "day 31 by Apple's time")
    }

    @Test func `a response of an app's own server doesn't set the current time`() {
        let (answers, stored) = (device.answers(), answer(askedOn: 10))
        device.day.value = 31
        answers.record(answer(askedOn: 12))
        #expect(!isPurchased(stored, answers))
    }

    @Test func `a response of the app's own validator is valid although the clock is ahead`() async throws {
        let info = answer(askedOn: 10)
        let validator = ClosureValidator { _, completion in completion(.success(receipt: info)) }
        let answers = Answers<Bool>()
        let receipts = LegacyReceipts(store: PurchaseStore(over: ReceiptBackend(receipt: Data([1]))))
        _ = receipts.verifyReceipt(using: validator, forceRefresh: false) { result in
            guard case .success(let receipt) = result else { return answers.completion()(false) }
            // By this machine's clock, the period ended long ago.
            let status = ReceiptQueries.verifySubscriptions(
                ofType: .autoRenewable, productIds: ["weekly"], inReceipt: receipt, validUntil: Date())
            if case .purchased = status { answers.completion()(true) } else { answers.completion()(false) }
        }
        expectEqual(try await answers.next(), true)
    }

    @Test func `a clock that was set back doesn't reactivate an expired subscription`() {
        let (answers, info) = (device.answers(), answer(askedOn: 35))
        device.day.value = 20
        #expect(!isPurchased(info, answers))
        answers.record(info)
        #expect(!isPurchased(info, answers))
        device.day.value = 33.9
        #expect(!isPurchased(info, answers))
    }

    @Test func `a clock that is slightly slow is used`() {
        let info = answer(askedOn: 30.5)
        device.day.value = 29.9
        #expect(isPurchased(info, device.answers()))
    }

    @Test func `another date than the current time is used unchanged, even with a recent response`() {
        let (answers, info) = (device.answers(), answer(askedOn: 10))
        device.day.value = 10
        answers.record(info)
        #expect(isPurchased(info, answers, until: 29))
        #expect(!isPurchased(info, answers, until: 31))
        device.day.value = 40
        #expect(isPurchased(info, answers, until: 5), "a past date is evaluated as of that date")
    }

    @Test func `the last responses are recorded once each, and responses without a receipt aren't`() {
        let answers = device.answers()
        let infos = (0..<9).map { answer(askedOn: 10 + Double($0)) }
        device.day.value = 400
        for info in infos + infos.suffix(1) { answers.record(info) }
        answers.record(X.info(["status": 0]))
        expectEqual(infos.map { isPurchased($0, answers) }, [false] + Array(repeating: true, count: 8))
    }

    @Test func `Apple's responses are recorded on arrival`() async throws {
        let body = try X.json(answer(askedOn: 10))
        let transport = PreparedTransport(body: Data(body.utf8))
        let validator = AppleReceiptValidator(endpoints: .apple, transport: transport)
        let judged = Recorder<Bool>()
        validator.validate(receiptData: Data([1])) { result in
            guard case .success(let receipt) = result else { return judged.record(false) }
            // By the device's clock, the period would have expired long ago or not begun.
            let date = RecentResponses.shared.evaluationDate(of: receipt, for: Date())
            judged.record(abs(date.timeIntervalSince(X.day(10))) < 60)
        }
        expectEqual(try await judged.first(1), [true])
    }
}

/// Responds to every request with the same body.
private struct PreparedTransport: ReceiptTransport {
    let body: Data

    func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse {
        ReceiptTransportResponse(statusCode: 200, body: self.body)
    }
}
