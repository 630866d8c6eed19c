import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PurchaseOptionsTests {
    private let token = UUID()

    private func refusal(_ options: PurchaseOptions) -> StoreError? {
        do throws(StoreError) {
            _ = try options.request(for: "coins")
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [Int.min, -3, 0, 11, 99, Int.max])
    func `a quantity outside one to ten is refused by name`(quantity: Int) throws {
        let error = try #require(refusal(PurchaseOptions(quantity: quantity)))
        expectEqual(error.code, .invalidQuantity)
        #expect(error.message.contains("\"coins\""))
        #expect(error.message.contains("\(quantity)"))
    }

    @Test(arguments: 1...10)
    func `quantities from one to ten can be bought`(quantity: Int) throws {
        expectEqual(try PurchaseOptions(quantity: quantity).request(for: "coins").quantity, quantity)
    }

    @Test func `without options one item is purchased, without an account`() throws {
        expectEqual(try PurchaseOptions().request(for: "coins"), PaymentRequest(productID: "coins"))
        expectEqual(PurchaseOptions().timeout, nil)
    }

    @Test func `the options that you pass are the options that are sent`() throws {
        let offer = PurchaseOffer.promotional(
            id: "spring", keyID: "key", nonce: token, signature: "signature", timestamp: 1)
        let options = PurchaseOptions(quantity: 2, account: .username("ada"), offer: offer, simulatesAskToBuy: true)
        let request = try options.request(for: "coins")
        expectEqual(request, PaymentRequest(productID: "coins", options: options))
        expectEqual([request.applicationUsername, request.offer?.id], ["ada", "spring"])
        expectEqual(request.quantity, 2)
    }

    @Test func `an empty user name is treated as no user name`() throws {
        expectEqual(try PurchaseOptions(account: .username("")).request(for: "coins").applicationUsername, nil)
    }

    @Test func `a token is sent as the user name, and a user name unchanged`() throws {
        expectEqual(
            try PurchaseOptions(account: .token(token)).request(for: "coins").applicationUsername, token.uuidString)
        let written = token.uuidString.lowercased()
        expectEqual(try PurchaseOptions(account: .username(written)).request(for: "coins").applicationUsername, written)
    }

    @Test func `an array literal equals the initializer`() {
        let offer = PurchaseOffer.winBack(id: "back")
        let options: PurchaseOptions = [
            .quantity(2), .appAccountToken(token), .offer(offer), .introductoryOfferEligibility(jws: "a.b.c"),
            .billingPlan(.monthly), .seats(3), .simulatesAskToBuy, .timeout(60),
        ]
        expectEqual(
            options,
            PurchaseOptions(
                quantity: 2, account: .token(token), offer: offer, introductoryOfferEligibilityJWS: "a.b.c",
                billingPlan: .monthly, seats: 3, simulatesAskToBuy: true, timeout: 60))
        expectEqual([], PurchaseOptions())
    }

    @Test func `of two equal options the later one is used, and options can be added one by one`() {
        var options: PurchaseOptions = [.quantity(2), .quantity(3)]
        expectEqual(options.quantity, 3)
        options.insert(.account(.username("ada")))
        expectEqual(options, PurchaseOptions(quantity: 3, account: .username("ada")))
        expectEqual(PurchaseOptions([PurchaseOption.timeout(1), .timeout(2)]).timeout, 2)
    }

    @Test func `a token is the account, and a user name is a token only if it reads as a UUID`() {
        var options = PurchaseOptions(account: .username("ada"))
        expectEqual(options.appAccountToken, nil)
        options.appAccountToken = token
        expectEqual(options.account, .token(token))
        expectEqual(PurchaseOptions(account: .username(token.uuidString)).appAccountToken, token)
        options.appAccountToken = nil
        expectEqual(options, PurchaseOptions())
    }

    @Test func `an offer accepts StoreKit 2's types, and the signature in base64`() {
        let signature = Data([0, 255, 7])
        expectEqual(
            PurchaseOffer.promotional(id: "half", keyID: "key", nonce: token, signature: signature, timestamp: 7),
            .promotional(id: "half", keyID: "key", nonce: token, signature: "AP8H", timestamp: 7))
    }

    @Test func `a win-back offer can be created from a product's win-back offer, and from no other offer`() {
        func offer(_ kind: TransactionOffer.Kind, id: String?) -> StoreOffer {
            StoreOffer(
                id: id, kind: kind, price: 1, displayPrice: "1", paymentMode: .payUpFront,
                period: StoreSubscriptionPeriod(value: 1, unit: .month), periodCount: 1)
        }
        expectEqual(.winBack(offer(.winBack, id: "back")), PurchaseOffer.winBack(id: "back"))
        for other in [offer(.introductory, id: nil), offer(.promotional, id: "back")] {
            expectEqual(.winBack(other), PurchaseOffer.winBack(id: ""))
        }
    }

    @Test func `options that differ in any part are different`() {
        let offer = PurchaseOffer.promotional(
            id: "spring", keyID: "key", nonce: token, signature: "signature", timestamp: 1)
        let options = [
            PurchaseOptions(), PurchaseOptions(quantity: 2), PurchaseOptions(account: .username("ada")),
            PurchaseOptions(account: .token(token)), PurchaseOptions(offer: offer),
            PurchaseOptions(simulatesAskToBuy: true),
            PurchaseOptions(timeout: 1),
        ]
        expectEqual(Set(options + options).count, options.count)
    }
}
