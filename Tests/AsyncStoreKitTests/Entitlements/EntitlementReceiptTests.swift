import AppReceipt
import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The devices for which a receipt is valid.
@Suite(.bounded) struct EntitlementReceiptTests {
    private let mine = DeviceIdentifier(bytes: SimulatedReceiptIssuer.deviceIdentifier)
    private let other = DeviceIdentifier(bytes: [1, 2, 3, 4, 5, 6])
    private let trust = HistoryTrust(
        bundleID: "com.example.app", environment: .production,
        receiptAnchors: HistoryTrust.anchors(SimulatedReceiptIssuer.rootCertificate))
    private let data = SimulatedReceiptIssuer().issue(
        SimulatedReceipt(bundleID: "com.example.app", creationDate: Date(timeIntervalSince1970: 1_767_225_600)))

    private func refusal(_ data: Data, _ devices: [DeviceIdentifier], trust: HistoryTrust? = nil) -> StoreError? {
        let trust = trust ?? self.trust
        do throws(StoreError) {
            _ = try trust.receiptVerifier().verify(data, for: devices)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a receipt is valid for any address of a device, and for every device if the addresses aren't known`()
        throws
    {
        for devices in [[mine], [mine, other], [other, mine], []] {
            expectEqual(try trust.receiptVerifier().verify(data, for: devices).bundleID, "com.example.app")
        }
    }

    @Test func `a verifier for a device accepts no receipt of another one`() throws {
        var verifier = try trust.receiptVerifier()
        verifier.device = other
        #expect(throws: StoreError.self) { try verifier.verify(data, for: []) }
        verifier.device = mine
        expectEqual(try verifier.verify(data, for: []).bundleID, "com.example.app")
    }

    @Test func `a receipt of another environment, and one for an unknown app, is refused`() {
        var testFlight = trust
        testFlight.environment = .sandbox
        expectEqual(
            (refusal(data, [], trust: testFlight)?.underlying as? ReceiptVerificationError)?.check, .environment)
        var unknown = trust
        unknown.bundleID = nil
        expectEqual(refusal(data, [], trust: unknown)?.code, .receiptInvalid)
        unknown = trust
        unknown.environment = nil
        #expect(refusal(data, [], trust: unknown) == nil, "the receipt itself names its environment")
    }

    @Test func `a receipt contains the date of its creation, and signs each of its rows at that date`() throws {
        let receipt = try trust.receiptVerifier().verify(data, for: [])
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        expectEqual(PurchaseListing(receipt).latestSignedDate, date)
        let row = PurchaseFacts(productID: "pro", transactionID: "1", purchaseDate: .distantPast)
        var contents = ReceiptContents(transactions: [ReceiptTransaction(row)])
        contents.creationDate = date
        expectEqual(PurchaseListing(Receipt(contents)).transactions.map(\.facts.signedDate), [date])
    }

    @Test func `a receipt for another device, or a damaged one, is refused with the first reason`() {
        let foreign = refusal(data, [other])
        expectEqual(foreign?.code, .receiptInvalid)
        expectEqual((foreign?.underlying as? ReceiptVerificationError)?.check, .device)
        var spoiled = data
        spoiled[spoiled.count - 1] ^= 1
        expectEqual((refusal(spoiled, [other, mine])?.underlying as? ReceiptVerificationError)?.check, .signature)
    }
}
