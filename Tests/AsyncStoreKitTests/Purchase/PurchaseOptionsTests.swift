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
        #expect(error.code == .invalidQuantity)
        #expect(error.message.contains("\"coins\""))
        #expect(error.message.contains("\(quantity)"))
    }

    @Test(arguments: 1...10)
    func `one to ten can be bought`(quantity: Int) throws {
        #expect(try PurchaseOptions(quantity: quantity).request(for: "coins").quantity == quantity)
    }

    @Test func `without options one is bought, for nobody in particular`() throws {
        #expect(try PurchaseOptions().request(for: "coins") == PaymentRequest(productID: "coins"))
        #expect(PurchaseOptions().timeout == nil)
    }

    @Test func `what is asked for is what is sent`() throws {
        let offer = SignedOffer(id: "spring", keyID: "key", nonce: token, signature: "signature", timestamp: 1)
        let options = PurchaseOptions(quantity: 2, applicationUsername: "ada", offer: offer, simulatesAskToBuy: true)
        let expected = PaymentRequest(
            productID: "coins", quantity: 2, applicationUsername: "ada", offer: offer, simulatesAskToBuy: true)
        #expect(try options.request(for: "coins") == expected)
    }

    @Test func `an empty user name is none`() throws {
        #expect(try PurchaseOptions(applicationUsername: "").request(for: "coins").applicationUsername == nil)
    }

    @Test(arguments: [nil, ""])
    func `an account token is sent as the user name`(username: String?) throws {
        let options = PurchaseOptions(applicationUsername: username, appAccountToken: token)
        #expect(try options.request(for: "coins").applicationUsername == token.uuidString)
    }

    @Test func `an account token and a user name that agree are one, as the user name is written`() throws {
        for username in [token.uuidString, token.uuidString.lowercased()] {
            let options = PurchaseOptions(applicationUsername: username, appAccountToken: token)
            #expect(try options.request(for: "coins").applicationUsername == username)
        }
    }

    @Test func `an account token and a user name that differ are refused by name`() throws {
        for username in ["ada", UUID().uuidString] {
            let error = try #require(refusal(PurchaseOptions(applicationUsername: username, appAccountToken: token)))
            #expect(error.code == .conflictingAccount)
            for part in ["\"coins\"", username, "\(token)"] { #expect(error.message.contains(part)) }
        }
    }

    @Test func `options that differ in anything are different`() {
        let offer = SignedOffer(id: "spring", keyID: "key", nonce: token, signature: "signature", timestamp: 1)
        let options = [
            PurchaseOptions(), PurchaseOptions(quantity: 2), PurchaseOptions(applicationUsername: "ada"),
            PurchaseOptions(appAccountToken: token), PurchaseOptions(offer: offer), PurchaseOptions(simulatesAskToBuy: true),
            PurchaseOptions(timeout: 1),
        ]
        #expect(Set(options + options).count == options.count)
    }
}
