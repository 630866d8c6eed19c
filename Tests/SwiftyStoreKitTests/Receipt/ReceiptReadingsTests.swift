import AppReceipt
import AsyncStoreKit
import Foundation
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptReadingsTests {
    private typealias X = ReceiptExamples

    private let readings = ReceiptCache(capacity: 3)
    private let receipt = X.subscriptions(X.period("weekly", "1", from: 0))

    private func rows(_ reading: ReceiptReading?) -> [String] {
        reading?.items(of: ["weekly"], by: .expiration).map(\.transactionId) ?? []
    }

    @Test func `a dictionary and its copies are parsed once`() throws {
        let first = try #require(readings.reading(of: .latest, in: receipt))
        var copy = receipt
        copy["password"] = "unrelated" as AnyObject
        #expect(readings.reading(of: .latest, in: receipt) === first)
        #expect(readings.reading(of: .latest, in: copy) === first)
        expectEqual(readings.count, 1)
        // The other list of the dictionary is parsed separately.
        #expect(readings.reading(of: .inApp, in: receipt) !== first)
        expectEqual(readings.count, 2)
    }

    @Test(arguments: ["receipt", "latest_receipt_info", "pending_renewal_info"])
    func `a changed dictionary is parsed again`(name: String) throws {
        let first = try #require(readings.reading(of: .latest, in: receipt))
        var changed = receipt
        changed[name] = NSArray(array: [X.period("weekly", "2", from: 1)])
        let second = try #require(readings.reading(of: .latest, in: changed))
        #expect(second !== first)
        expectEqual(rows(second), name == "latest_receipt_info" ? ["2"] : ["1"])
    }

    @Test func `equal dictionaries of different objects are different`() {
        let other = X.subscriptions(X.period("weekly", "1", from: 0))
        #expect(readings.reading(of: .latest, in: receipt) !== readings.reading(of: .latest, in: other))
        expectEqual(readings.count, 2)
    }

    @Test func `mutable objects are parsed for every question, including their changes`() {
        let list = NSMutableArray(object: X.period("weekly", "1", from: 0))
        let receipt: ReceiptInfo = ["latest_receipt_info": list]
        expectEqual(rows(readings.reading(of: .latest, in: receipt)), ["1"])
        list.add(X.period("weekly", "2", from: 30))
        expectEqual(rows(readings.reading(of: .latest, in: receipt)), ["2", "1"])
        let application = NSMutableDictionary()
        #expect(readings.reading(of: .inApp, in: ["receipt": application]) == nil)
        application.setObject([X.row("pro", "7")], forKey: "in_app" as NSString)
        expectEqual(readings.reading(of: .inApp, in: ["receipt": application])?.receipt.owns("pro", at: .now), true)
        expectEqual(readings.count, 0)
    }

    @Test func `only the most recently used lists are cached`() throws {
        let first = try #require(readings.reading(of: .latest, in: receipt))
        for _ in 0..<2 { _ = readings.reading(of: .latest, in: X.subscriptions(X.period("weekly", "9", from: 0))) }
        #expect(readings.reading(of: .latest, in: receipt) === first)
        for _ in 0..<3 { _ = readings.reading(of: .latest, in: X.subscriptions(X.period("weekly", "9", from: 0))) }
        expectEqual(readings.count, 3)
        #expect(readings.reading(of: .latest, in: receipt) !== first)
    }

    @Test func `a dictionary without the list, and an empty dictionary, isn't a receipt`() {
        #expect(readings.reading(of: .latest, in: [:]) == nil)
        #expect(readings.reading(of: .latest, in: X.purchases(X.row("pro"))) == nil)
        #expect(readings.reading(of: .inApp, in: X.info(["receipt": "text"])) == nil)
        #expect(readings.reading(of: .inApp, in: X.purchases()) != nil)
    }

    @Test func `concurrent questions share one parse, and all get the right answer`() {
        let rows = (0..<300).map { X.period("product-\($0 % 10)", "\($0)", from: Double($0)) }
        let receipts = (0..<4).map { _ in Held(X.info(["latest_receipt_info": rows])) }
        let readings = ReceiptCache(capacity: 4)
        let found = Held(DistinctReadings())
        DispatchQueue.concurrentPerform(iterations: 400) { number in
            let reading = readings.reading(of: .latest, in: receipts[number % 4].value)
            let items = reading?.items(of: ["product-\(number % 10)"], by: .expiration) ?? []
            expectEqual(items.count, 30)
            expectEqual(items.first?.transactionId, "\(290 + number % 10)")
            if let reading { found.value.insert(reading) }
        }
        expectEqual(found.value.count, 4)
    }
}

/// The returned readings.
private struct DistinctReadings {
    private let readings = Locked<[ObjectIdentifier: Held<ReceiptReading>]>([:])

    func insert(_ reading: ReceiptReading) {
        readings.withLock { [held = Held(reading)] in $0[ObjectIdentifier(held.value)] = held }
    }

    var count: Int { readings.withLock { $0.count } }
}
