import Foundation
import StoreKit
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct StoreErrorStoreKitTests {
    private func meaning(_ error: any Error) -> StoreError {
        StoreError(storeKitError: error, during: "The purchase")
    }

    private func wrapped(_ code: Int, underlying: NSError) -> NSError {
        NSError(domain: SKErrorDomain, code: code, userInfo: [NSUnderlyingErrorKey: underlying])
    }

    @Test(arguments: [
        (0, SKError.Code.unknown, StoreError.Code.unknown),
        (1, .clientInvalid, .storeKit),
        (2, .paymentCancelled, .userCancelled),
        (3, .paymentInvalid, .storeKit),
        (4, .paymentNotAllowed, .purchaseNotAllowed),
        (5, .storeProductNotAvailable, .notAvailableInStorefront),
        (6, .cloudServicePermissionDenied, .storeKit),
        (7, .cloudServiceNetworkConnectionFailed, .storeKit),
        (8, .cloudServiceRevoked, .storeKit),
        (9, .privacyAcknowledgementRequired, .storeKit),
        (10, .unauthorizedRequestData, .storeKit),
        (11, .invalidOfferIdentifier, .invalidOfferIdentifier),
        (12, .invalidSignature, .invalidOfferSignature),
        (13, .missingOfferParams, .missingOfferParameters),
        (14, .invalidOfferPrice, .invalidOfferPrice),
        (15, .overlayCancelled, .storeKit),
        (18, .ineligibleForOffer, .ineligibleForOffer),
    ])
    func `each code of SKError keeps its meaning`(number: Int, code: SKError.Code, expected: StoreError.Code) {
        expectEqual(code.rawValue, number)
        expectEqual(meaning(SKError(code)).code, expected)
        expectEqual(meaning(SKError(code)).storeKitCode, number)
        expectEqual(meaning(NSError(domain: SKErrorDomain, code: number)).code, expected)
    }

    // macOS or tvOS have no names for these.
    @Test(arguments: [
        (16, StoreError.Code.storeKit), (17, .storeKit), (19, .unsupported), (20, .storeKit),
        (21, .paymentMethodRequired),
    ])
    func `codes that not every platform names keep their meaning everywhere`(number: Int, expected: StoreError.Code) {
        expectEqual(meaning(NSError(domain: SKErrorDomain, code: number)).code, expected)
    }

    @Test(arguments: [22, 1_000, Int.max, -1, -998, Int.min])
    func `codes that SKError doesn't have keep their number in the underlying error`(number: Int) throws {
        let error = meaning(
            NSError(domain: SKErrorDomain, code: number, userInfo: [NSLocalizedDescriptionKey: "Something new."]))
        let expected: StoreError.Code = number == .min ? .networkError : .storeKit
        expectEqual(error.code, expected)
        let underlying = try #require(error.underlying as NSError?)
        expectEqual(underlying.domain, SKErrorDomain)
        expectEqual(underlying.code, number)
        #expect(error.message.contains("Something new."))
        #expect(error.message.contains("The purchase"))
    }

    @Test(arguments: [
        NSURLErrorNotConnectedToInternet, NSURLErrorCannotFindHost, NSURLErrorNetworkConnectionLost,
        NSURLErrorCancelled,
    ])
    func `a network error is recognized alone, under SKError's domain, and underneath an unknown error`(number: Int) {
        let bare = NSError(domain: NSURLErrorDomain, code: number)
        expectEqual(meaning(bare).code, .networkError)
        expectEqual(meaning(NSError(domain: SKErrorDomain, code: number)).code, .networkError)
        expectEqual(meaning(wrapped(0, underlying: bare)).code, .networkError)
        expectEqual(meaning(wrapped(500, underlying: bare)).code, .networkError)
        expectEqual((meaning(bare).underlying as NSError?)?.code, number)
    }

    @Test func `a timeout of the network has the code timedOut`() {
        expectEqual(meaning(NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut)).code, .timedOut)
        expectEqual(meaning(URLError(.timedOut)).code, .timedOut)
    }

    @Test func `SKError's own code takes precedence over the network error underneath`() {
        let cause = NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
        expectEqual(meaning(wrapped(2, underlying: cause)).code, .userCancelled)
        expectEqual(meaning(wrapped(4, underlying: cause)).code, .purchaseNotAllowed)
    }

    @Test func `an unknown error with another error underneath stays unknown`() {
        expectEqual(meaning(wrapped(0, underlying: NSError(domain: "ASDErrorDomain", code: -1009))).code, .unknown)
    }

    @Test func `errors of other domains are unknown, and named by domain and code if they have no text`() {
        let error = meaning(NSError(domain: "ASDErrorDomain", code: 2))
        expectEqual(error.code, .unknown)
        #expect(error.message.contains("ASDErrorDomain"))
        #expect(error.message.contains("2"))
        expectEqual((error.underlying as NSError?)?.domain, "ASDErrorDomain")
    }

    @Test func `a Swift error is unknown, and kept underneath`() {
        struct Odd: Error {}
        expectEqual(meaning(Odd()).code, .unknown)
    }
}
