import AppReceipt
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptReaderTests {
    private typealias X = ReceiptExamples

    private let reader = ReceiptReader(capacity: 3)
    private let info = X.subscriptions(X.period("weekly", "1", from: 0))

    private func rows(_ receipt: Receipt?) -> [String] {
        receipt?.transactions(of: "weekly").map(\.transactionID) ?? []
    }

    @Test func `a dictionary and its copies are read once`() {
        expectEqual(rows(reader.receipt(of: .latest, in: info)), ["1"])
        var copy = info
        copy["password"] = "unrelated" as AnyObject
        for info in [info, copy] {
            expectEqual(rows(reader.receipt(of: .latest, in: info)), ["1"])
            expectEqual(reader.count, 1, "another reading would be another element")
        }
        // The other list of the dictionary is read separately.
        _ = reader.receipt(of: .inApp, in: info)
        expectEqual(reader.count, 2)
    }

    @Test(arguments: ["receipt", "latest_receipt_info", "pending_renewal_info"])
    func `a changed dictionary is read again`(name: String) {
        _ = reader.receipt(of: .latest, in: info)
        var changed = info
        changed[name] = NSArray(array: [X.period("weekly", "2", from: 1)])
        expectEqual(rows(reader.receipt(of: .latest, in: changed)), name == "latest_receipt_info" ? ["2"] : ["1"])
        expectEqual(reader.count, 2)
    }

    @Test func `equal dictionaries of different objects are different`() {
        let other = X.subscriptions(X.period("weekly", "1", from: 0))
        expectEqual(rows(reader.receipt(of: .latest, in: info)), rows(reader.receipt(of: .latest, in: other)))
        expectEqual(reader.count, 2)
    }

    @Test func `mutable objects are read for every question, including their changes`() {
        let list = NSMutableArray(object: X.period("weekly", "1", from: 0))
        let info: ReceiptInfo = ["latest_receipt_info": list]
        expectEqual(rows(reader.receipt(of: .latest, in: info)), ["1"])
        list.add(X.period("weekly", "2", from: 30))
        expectEqual(rows(reader.receipt(of: .latest, in: info)), ["2", "1"])
        let application = NSMutableDictionary()
        #expect(reader.receipt(of: .inApp, in: ["receipt": application]) == nil)
        application.setObject([X.row("pro", "7")], forKey: "in_app" as NSString)
        expectEqual(reader.receipt(of: .inApp, in: ["receipt": application])?.owns("pro", at: .now), true)
        expectEqual(reader.count, 0)
    }

    @Test func `only the most recently used lists are cached`() {
        func read(_ list: NSArray) { _ = reader.receipt(of: .latest, in: ["latest_receipt_info": list]) }
        // The cache keeps the objects alive.
        weak var used: NSArray?
        weak var unused: NSArray?
        do {
            let lists = (0..<4).map { NSArray(array: [X.period("weekly", "\($0)", from: 0)]) }
            (used, unused) = (lists[0], lists[1])
            lists[...2].forEach(read)
            read(lists[0])
            read(lists[3])
        }
        expectEqual(reader.count, 3)
        #expect(used != nil)
        #expect(unused == nil)
    }

    @Test func `a dictionary without the list, and an empty dictionary, isn't a receipt`() {
        #expect(reader.receipt(of: .latest, in: [:]) == nil)
        #expect(reader.receipt(of: .latest, in: X.purchases(X.row("pro"))) == nil)
        #expect(reader.receipt(of: .inApp, in: X.info(["receipt": "text"])) == nil)
        #expect(reader.receipt(of: .inApp, in: X.purchases()) != nil)
    }

    @Test func `concurrent questions share one reading, and all get the right answer`() {
        let rows = (0..<300).map { X.period("product-\($0 % 10)", "\($0)", from: Double($0)) }
        let infos = (0..<4).map { _ in Held(X.info(["latest_receipt_info": rows])) }
        let reader = ReceiptReader(capacity: 1_000)
        DispatchQueue.concurrentPerform(iterations: 400) { number in
            let receipt = reader.receipt(of: .latest, in: infos[number % 4].value)
            let found = receipt?.transactions(of: "product-\(number % 10)") ?? []
            expectEqual(found.count, 30)
            expectEqual(found.first?.transactionID, "\(290 + number % 10)")
        }
        expectEqual(reader.count, 4)
    }

    @Test func `a row with a long name of the app's own is read`() {
        let name = String(repeating: "n", count: 100)
        var row = X.row("pro", "7")
        row[name] = "x"
        expectEqual(ReceiptItem(receiptInfo: X.info(row))?.transactionId, "7")
    }
}
