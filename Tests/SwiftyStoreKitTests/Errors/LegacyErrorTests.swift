import AsyncStoreKit
import Foundation
import StoreKit
import Support
import TestHarness
import Testing

@testable import SwiftyStoreKit

@Suite(.bounded) struct LegacyErrorTests {
    @Test(arguments: [0, 1, 2, 3, 4, 5, 20, 21, 9999])
    func `StoreKit's errors are unchanged, even with unknown codes`(code: Int) {
        let original = NSError(
            domain: SKErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: "Words", "key": "value"])
        let error = SKError(StoreError(storeKitError: original, during: "A test"))
        expectEqual(error._nsError.domain, SKErrorDomain)
        expectEqual(error._nsError.code, code)
        #expect(error.localizedDescription == "Words" && error._nsError.userInfo["key"] as? String == "value")
    }

    @Test(arguments: [-1009, -1001, -1200])
    func `network errors in any form are SKError.unknown with the cause`(code: Int) throws {
        for domain in [NSURLErrorDomain, SKErrorDomain] {
            let original = NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: "No network"])
            let error = SKError(StoreError(storeKitError: original, during: "A test"))
            expectEqual(error._nsError.code, SKError.Code.unknown.rawValue)
            expectEqual(error.code, .unknown)
            expectEqual(error.localizedDescription, "No network")
            expectEqual(error.debugText, StoreError(storeKitError: original, during: "A test").message)
            let cause = try #require(error._nsError.userInfo[NSUnderlyingErrorKey] as? NSError)
            expectEqual(cause.domain, NSURLErrorDomain)
            expectEqual(cause.code, code)
        }
    }

    @Test(arguments: [
        ("SSErrorDomain", 16), ("ASDErrorDomain", 500), ("AMSErrorDomain", 100), (NSCocoaErrorDomain, -1009),
    ])
    func `errors of other domains keep domain, number and text`(domain: String, code: Int) throws {
        let original = NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: "Words"])
        let error = StoreError(storeKitError: original, during: "A test")
        for given in [SKError(error)._nsError, error.legacyError as NSError] {
            expectEqual(given.domain, domain)
            expectEqual(given.code, code)
            expectEqual(given.localizedDescription, "Words")
        }
    }

    @Test func `an unanswered request is a network timeout`() {
        let error = StoreError(.timedOut, "Not answered.")
        let given = error.legacyError as NSError
        expectEqual(given.domain, NSURLErrorDomain)
        expectEqual(given.code, NSURLErrorTimedOut)
        expectEqual(given.debugText, "Not answered.")
        expectEqual(given.localizedDescription, error.localizedDescription)
        expectEqual(SKError(error).code, .unknown)
        expectEqual(SKError(error)._nsError.domain, SKErrorDomain)
        expectEqual((SKError(error)._nsError.userInfo[NSUnderlyingErrorKey] as? NSError)?.code, NSURLErrorTimedOut)
    }

    @Test func `the store's errors have StoreKit's code, if any, a text for customers, and the message for logs`() {
        let codes: [(StoreError.Code, SKError.Code)] = [
            (.taskCancelled, .paymentCancelled), (.invalidQuantity, .paymentInvalid),
            (.productUnavailable, .paymentInvalid),
            (.purchaseNotAllowed, .paymentNotAllowed), (.restoreInProgress, .unknown),
            (.invalidAccount, .paymentInvalid),
            (.storeClosed, .unknown), (.transactionRemoved, .unknown), (.deliveryRejected, .unknown),
            (.ineligibleForOffer, .ineligibleForOffer),
        ]
        for (code, expected) in codes {
            let error = SKError(StoreError(code, "What happened."))
            expectEqual(error.code, expected, "\(code)")
            expectEqual(error.debugText, "What happened.", "\(code)")
            expectEqual(error.localizedDescription, StoreError(code, "What happened.").localizedDescription)
            expectEqual((error._nsError.userInfo[NSUnderlyingErrorKey] as? StoreError)?.code, code)
        }
        // tvOS has no name for this one.
        expectEqual(SKError(StoreError(.unsupported, "What happened."))._nsError.code, 19)
    }
}
