import Foundation
import StoreKit
import SwiftyStoreKit
import TestHarness
import Testing

/// The functions of ``Newsstand`` for tests. The protocol avoids deprecation warnings, because the tests aren't
/// deprecated.
private protocol NewsstandScenes {
    func shelfMessages() -> [String]
    func errorTexts(_ codes: [SKError.Code]) -> [String?]
    func access(in receipt: ReceiptInfo) -> String
    func advice(of answers: [(Data?, Error?)]) -> [String]
}

private struct Scenes: NewsstandScenes {
    @available(*, deprecated)
    func shelfMessages() -> [String] {
        let newsstand = Newsstand()
        let results = RetrieveResults(
            retrievedProducts: [], invalidProductIDs: ["b", "a"],
            error: NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut))
        newsstand.fillShelf(with: results)
        newsstand.close(the: .error(error: SKError(.paymentCancelled)))
        return newsstand.messages
    }

    @available(*, deprecated)
    func errorTexts(_ codes: [SKError.Code]) -> [String?] { codes.map { Newsstand.text(for: SKError($0)) } }

    @available(*, deprecated)
    func access(in receipt: ReceiptInfo) -> String {
        Newsstand.access(in: receipt, at: Date(timeIntervalSince1970: 1_500))
    }

    @available(*, deprecated)
    func advice(of answers: [(Data?, Error?)]) -> [String] {
        var advice: [String] = []
        for (data, error) in answers {
            Newsstand().validator(isBeta: false) { _, answer in answer(data, error) }.validate(receiptData: Data()) {
                result in
                if case .error(let reason) = result {
                    advice.append(Newsstand.advice(for: reason))
                } else {
                    advice.append("valid")
                }
            }
        }
        return advice
    }
}

/// A client of the block API, in the language mode of the manifest. Calls that reach the App Store are compiled, not
/// run.
@Suite(.bounded) struct NewsstandTests {
    private let scenes: any NewsstandScenes = Scenes()

    @Test func `a client reads the results of a request for products`() {
        #expect(
            scenes.shelfMessages() == ["a is sold out", "b is sold out", "No shelf today: NSURLErrorDomain -1001", ""])
    }

    @Test func `a client chooses its texts by the codes of SKError`() {
        let texts = scenes.errorTexts([
            .paymentCancelled, .paymentNotAllowed, .paymentInvalid, .cloudServiceNetworkConnectionFailed,
        ])
        #expect(
            texts == [nil, "Ask the administrator of this device", "Not sold here", "Try again when you are online"])
    }

    @Test func `a client asks a receipt about subscriptions and purchases`() {
        func row(_ product: String, _ id: String, purchased: Int, expires: Int?) -> [String: String] {
            var row = [
                "product_id": "org.example.newsstand." + product, "quantity": "1", "transaction_id": id,
                "original_transaction_id": "1",
                "purchase_date_ms": "\(purchased)000", "original_purchase_date_ms": "\(purchased)000",
                "is_trial_period": "false",
            ]
            row["expires_date_ms"] = expires.map { "\($0)000" }
            return row
        }
        let receipt: ReceiptInfo = [
            "status": 0 as NSNumber,
            "receipt": [
                "in_app": [
                    row("archive", "7", purchased: 1_000, expires: nil),
                    row("month", "9", purchased: -2_592_000, expires: nil),
                ]
            ] as NSDictionary,
            "latest_receipt_info": [row("weekly", "8", purchased: 1_000, expires: 2_000)] as NSArray,
        ]
        #expect(
            scenes.access(in: receipt)
                == "reads until 2000.0, period 1; archive 7×1; month over since 0.0; org.example.newsstand.weekly")
        #expect(scenes.access(in: [:]) == "never subscribed")
    }

    @Test func `a client's own validator reports every kind of answer`() {
        let advice = scenes.advice(of: [
            (nil, URLError(.timedOut)), (Data(), nil), (Data("no".utf8), nil), (Data(#"{"status": 21003}"#.utf8), nil),
            (Data(#"{"status": 0}"#.utf8), nil),
        ])
        #expect(
            advice == ["Later: -1001", "The server said nothing", "The server said: no", "Refused with 21003", "valid"])
    }
}
