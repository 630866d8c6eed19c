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
    func `one to ten can be bought`(quantity: Int) throws {
        expectEqual(try PurchaseOptions(quantity: quantity).request(for: "coins").quantity, quantity)
    }

    @Test func `without options one is bought, for nobody in particular`() throws {
        expectEqual(try PurchaseOptions().request(for: "coins"), PaymentRequest(productID: "coins"))
        expectEqual(PurchaseOptions().timeout, nil)
    }

    @Test func `what is asked for is what is sent`() throws {
        let offer = PurchaseOffer.promotional(id: "spring", keyID: "key", nonce: token, signature: "signature", timestamp: 1)
        let options = PurchaseOptions(quantity: 2, account: .username("ada"), offer: offer, simulatesAskToBuy: true)
        let request = try options.request(for: "coins")
        expectEqual(request, PaymentRequest(productID: "coins", options: options))
        expectEqual([request.applicationUsername, request.offer?.id], ["ada", "spring"])
        expectEqual(request.quantity, 2)
    }

    @Test func `an empty user name is none`() throws {
        expectEqual(try PurchaseOptions(account: .username("")).request(for: "coins").applicationUsername, nil)
    }

    @Test func `a token goes out as the user name, and a user name as it is written`() throws {
        expectEqual(try PurchaseOptions(account: .token(token)).request(for: "coins").applicationUsername, token.uuidString)
        let written = token.uuidString.lowercased()
        expectEqual(try PurchaseOptions(account: .username(written)).request(for: "coins").applicationUsername, written)
    }

    @Test func `options that differ in anything are different`() {
        let offer = PurchaseOffer.promotional(id: "spring", keyID: "key", nonce: token, signature: "signature", timestamp: 1)
        let options = [
            PurchaseOptions(), PurchaseOptions(quantity: 2), PurchaseOptions(account: .username("ada")),
            PurchaseOptions(account: .token(token)), PurchaseOptions(offer: offer), PurchaseOptions(simulatesAskToBuy: true),
            PurchaseOptions(timeout: 1),
        ]
        expectEqual(Set(options + options).count, options.count)
    }
}
