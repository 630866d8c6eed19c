import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptAttributeTests {
    private typealias F = ReceiptFixtures

    private func simulated(_ purchases: SimulatedReceiptTransaction...) -> SimulatedReceipt {
        var receipt = SimulatedReceipt(
            bundleID: "com.example.app", appVersion: "42", creationDate: F.day(40), environment: .production)
        receipt.transactions = purchases
        return receipt
    }

    private func read(_ receipt: SimulatedReceipt) throws -> Receipt {
        try Receipt.unverified(pkcs7: UnsignedContainer.around(receipt))
    }

    /// Returns a receipt with one purchase that has an additional or changed attribute.
    private func purchase(_ type: Int64, _ value: [UInt8]) throws -> ReceiptTransaction {
        var purchase = SimulatedReceiptTransaction(productID: "pro", transactionID: "1", purchaseDate: F.day(0))
        if type == 1705 { purchase.originalTransactionID = nil }
        if type == 1706 { purchase.originalPurchaseDate = nil }
        purchase.additionalAttributes = [type: value]
        return try #require(read(simulated(purchase)).transactions.first)
    }

    private func text(_ text: String) -> [UInt8] { DEREncoding.ia5String(text) }

    @Test func `an app version of "null" is decoded as nil`() throws {
        var simulated = simulated()
        simulated.appVersion = "null"
        expectEqual(try read(simulated).applicationVersion, nil)
    }

    @Test func `every attribute of the application is read`() throws {
        var simulated = simulated()
        simulated.environment = .volumePurchase
        simulated.appStoreID = 123_456_789_012
        simulated.originalAppVersion = "7"
        simulated.originalPurchaseDate = F.day(0)
        simulated.expirationDate = F.day(90)
        simulated.ageRating = "4+"
        simulated.downloadID = 77_000_000_000_001
        simulated.opaqueValue = [9, 8, 7]
        simulated.additionalAttributes = [9: [0x0C, 0x02, 0x50, 0x34], 25: []]
        let receipt = try read(simulated)
        let contents = receipt.contents
        #expect(receipt.source == .pkcs7 && receipt.environment == .production && contents.isVolumePurchase)
        expectEqual(receipt.bundleID, "com.example.app")
        expectEqual(receipt.applicationVersion, "42")
        expectEqual(receipt.originalApplicationVersion, "7")
        expectEqual(contents.appStoreID, 123_456_789_012)
        expectEqual(contents.downloadID, 77_000_000_000_001)
        expectEqual(contents.ageRating, "4+")
        expectEqual(receipt.creationDate, F.day(40))
        expectEqual(receipt.originalPurchaseDate, F.day(0))
        expectEqual(receipt.expirationDate, F.day(90))
        let binding = try #require(contents.deviceBinding)
        expectEqual(binding.opaqueValue, Data([9, 8, 7]))
        expectEqual(binding.hash.count, 20)
        expectEqual(binding.bundleIDBytes, Data(DEREncoding.utf8String("com.example.app")))
        expectEqual(contents.unknownFields, ["9": .data(Data([0x0C, 0x02, 0x50, 0x34])), "25": .data(Data())])
    }

    @Test func `every attribute of a purchase is read`() throws {
        var purchase = SimulatedReceiptTransaction(
            productID: "weekly", transactionID: "2", purchaseDate: F.day(7), quantity: 3)
        purchase.originalTransactionID = "1"
        purchase.originalPurchaseDate = F.day(0)
        purchase.productType = 3
        purchase.expirationDate = F.day(14)
        purchase.webOrderLineItemID = 55
        purchase.revocationDate = F.day(8)
        purchase.isTrialPeriod = true
        purchase.isInIntroductoryOfferPeriod = true
        purchase.promotionalOfferID = "back"
        purchase.additionalAttributes = [1710: [2, 1, 0]]
        let row = try #require(read(simulated(purchase)).transactions.first)
        expectEqual(row.productID, "weekly")
        expectEqual(row.transactionID, "2")
        expectEqual(row.originalTransactionID, "1")
        expectEqual(row.quantity, 3)
        expectEqual(row.purchaseDate, F.day(7))
        expectEqual(row.originalPurchaseDate, F.day(0))
        expectEqual(row.expirationDate, F.day(14))
        expectEqual(row.revocationDate, F.day(8))
        expectEqual(row.productKind, .autoRenewable)
        expectEqual(row.webOrderLineItemID, "55")
        #expect(row.isTrialPeriod && row.isInIntroductoryOfferPeriod && row.promotionalOfferID == "back")
        expectEqual(row.unknownFields, ["1710": .data(Data([2, 1, 0]))])
    }

    @Test func `Xcode's receipts lack the original transaction, and their dates have zones`() throws {
        var purchase = SimulatedReceiptTransaction(productID: "pro", transactionID: "0", purchaseDate: F.day(0))
        purchase.originalTransactionID = nil
        purchase.originalPurchaseDate = nil
        purchase.additionalAttributes = [1708: text("2026-01-31T02:00:00+0200")]
        var simulated = simulated(purchase)
        simulated.environment = .xcode
        simulated.additionalAttributes = [21: text("2026-03-31T17:00:00-07:00")]
        let receipt = try read(simulated)
        let row = try #require(receipt.transactions.first)
        expectEqual(receipt.environment, .xcode)
        expectEqual(receipt.expirationDate, F.day(90))
        expectEqual(row.originalTransactionID, "0")
        expectEqual(row.originalPurchaseDate, F.day(0))
        expectEqual(row.expirationDate, F.day(30))
    }

    private static let unreadable: [[UInt8]] = [
        [0x0C, 0x01, 0xFF], [0x16, 0x05, 0x31], [0x31, 0x00], [0x02, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        DEREncoding.utf8String(String(repeating: "x", count: 10_000)),
    ]

    @Test(arguments: [Int64](0...25)) func `an attribute of the app costs the receipt only if access depends on it`(
        type: Int64
    ) throws {
        let decisive: Set<Int64> = [0, 2, 8, 12, 17, 21]
        for value in Self.unreadable {
            let attributes = [2: DEREncoding.utf8String("com.example.app")].merging([type: value]) { $1 }
            let content = attributes.sorted { $0.key < $1.key }.flatMap {
                UnsignedContainer.attribute($0.key, $0.value)
            }
            let file = Data(UnsignedContainer.around(DEREncoding.element(0x31, content)))
            let receipt = try? Receipt.unverified(pkcs7: file)
            expectEqual(receipt == nil, decisive.contains(type), "\(value.prefix(9))")
            guard let receipt, ![4, 5].contains(type) else { continue }
            expectEqual(receipt.contents.unknownFields, ["\(type)": .data(Data(value))], "\(value.prefix(9))")
        }
        let repeated = [type, type].flatMap { UnsignedContainer.attribute($0, [0x31, 0x00]) }
        let file = Data(UnsignedContainer.around(DEREncoding.element(0x31, repeated)))
        let isKnown = decisive.union([1, 3, 4, 5, 10, 15, 18, 19]).contains(type)
        expectEqual((try? Receipt.unverified(pkcs7: file)) == nil, isKnown, "a known attribute occurs once")
    }

    @Test(arguments: [Int64](1701...1725))
    func `an attribute of a purchase costs the receipt only if access depends on it`(type: Int64) throws {
        let decisive: Set<Int64> = [
            1701, 1702, 1703, 1704, 1705, 1706, 1707, 1708, 1711, 1712, 1713, 1719,
        ]
        for value in Self.unreadable {
            let row = try? purchase(type, value)
            expectEqual(row == nil, decisive.contains(type), "\(value.prefix(9))")
            if let row { expectEqual(row.unknownFields["\(type)"], .data(Data(value))) }
        }
    }

    @Test func `empty dates, empty texts and zeros are treated as missing`() throws {
        expectEqual(try purchase(1708, text("")).expirationDate, nil)
        expectEqual(try purchase(1712, text("")).revocationDate, nil)
        #expect(try purchase(1712, []).isValid)
        expectEqual(try purchase(1711, DEREncoding.integer(0)).webOrderLineItemID, nil)
        expectEqual(try purchase(1721, DEREncoding.utf8String("")).promotionalOfferID, nil)
        expectEqual(try purchase(1705, text("")).originalTransactionID, "1")
        expectEqual(try purchase(1713, DEREncoding.integer(0)).isTrialPeriod, false)
        #expect(try purchase(1713, [0x01, 0x01, 0xFF]).isTrialPeriod)
        expectEqual(try purchase(1707, DEREncoding.integer(9)).productKind?.rawValue, "9")
    }

    @Test(
        arguments: [
            (1708, [0x16, 0x03, 0x61, 0x62, 0x63], MalformedReceiptError.Code.invalidValue),
            (1713, [2, 1, 2], .invalidValue),
            (1711, [0x0C, 0x01, 0x37], .unexpectedElement), (1707, [2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0], .invalidValue),
            (1702, [0x0C, 0x01, 0xFF], .invalidValue), (1712, [0x16, 0x05, 0x31], .truncated),
            (1713, [2, 1, 1, 0], .trailingBytes),
        ] as [(Int64, [UInt8], MalformedReceiptError.Code)])
    func `a malformed attribute fails with its offset`(type: Int64, value: [UInt8], code: MalformedReceiptError.Code)
        throws
    {
        var purchase = SimulatedReceiptTransaction(productID: "pro", transactionID: "1", purchaseDate: F.day(0))
        purchase.additionalAttributes = [type: value]
        let data = UnsignedContainer.around(simulated(purchase))
        let error = try #require(#expect(throws: MalformedReceiptError.self) { try Receipt.unverified(pkcs7: data) })
        expectEqual(error.code, code)
        let place = try #require(data.range(of: Data(DEREncoding.octetString(value))))
        #expect((place.lowerBound..<place.upperBound + 1).contains(error.offset))
    }

    @Test func `truncated attributes are malformed, with an offset in the file`() {
        var purchase = SimulatedReceiptTransaction(productID: "weekly", transactionID: "1001", purchaseDate: F.day(7))
        purchase.expirationDate = F.day(14)
        purchase.revocationDate = F.day(9)
        let content = simulated(purchase).encoded()
        #expect(throws: Never.self) { try Receipt.unverified(pkcs7: Data(UnsignedContainer.around(content))) }
        for length in content.indices {
            let data = Data(UnsignedContainer.around(Array(content[..<length])))
            let error = #expect(throws: MalformedReceiptError.self) { try Receipt.unverified(pkcs7: data) }
            #expect((0...data.count).contains(error?.offset ?? -1))
        }
    }

    @Test func `a duplicate attribute is malformed if known and a list if unknown`() throws {
        let error = #expect(throws: MalformedReceiptError.self) { try purchase(1702, DEREncoding.utf8String("other")) }
        expectEqual(error?.expected, "attribute 1702 once")
        var twice = simulated()
        twice.additionalAttributes = [2: DEREncoding.utf8String("com.example.other")]
        #expect(throws: MalformedReceiptError.self) { try read(twice) }
        let value = DEREncoding.sequence([
            DEREncoding.integer(99), DEREncoding.integer(1), DEREncoding.octetString([7]),
        ])
        let receipt = try Receipt.unverified(
            pkcs7: Data(UnsignedContainer.around(DEREncoding.element(0x31, value + value))))
        expectEqual(receipt.contents.unknownFields, ["99": .array([.data(Data([7])), .data(Data([7]))])])
    }

    @Test func `a purchase without a product, a transaction or a date is malformed`() {
        let broken = [
            SimulatedReceiptTransaction(productID: "", transactionID: "1", purchaseDate: F.day(0)),
            SimulatedReceiptTransaction(productID: "pro", transactionID: "", purchaseDate: F.day(0)),
        ]
        for (purchase, type) in zip(broken, [1702, 1703]) {
            let error = #expect(throws: MalformedReceiptError.self) { try read(simulated(purchase)) }
            expectEqual(error?.expected.contains("(attribute \(type)) in the purchase"), true)
        }
    }

    @Test func `an impossible quantity is malformed`() {
        let negative = SimulatedReceiptTransaction(
            productID: "pro", transactionID: "1", purchaseDate: F.day(0), quantity: -1)
        #expect(throws: MalformedReceiptError.self) { try read(simulated(negative)) }
    }

    @Test func `decoding restores a receipt with its device binding and unknown attributes`() throws {
        var simulated = simulated(
            SimulatedReceiptTransaction(productID: "pro", transactionID: "1", purchaseDate: F.day(0)))
        simulated.additionalAttributes = [25: [1, 2]]
        let receipt = try read(simulated)
        let copy = try JSONDecoder().decode(Receipt.self, from: JSONEncoder().encode(receipt))
        expectEqual(copy, receipt)
        expectEqual(copy.contents.deviceBinding, receipt.contents.deviceBinding)
        expectEqual(copy.contents.unknownFields, ["25": .data(Data([1, 2]))])
        expectEqual(copy.source, .pkcs7)
    }
}
