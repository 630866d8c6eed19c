import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SKErrorTests {
    static let names: [(Int, SKError.Code, SKError.Code)] = [
        (0, .unknown, SKError.unknown), (1, .clientInvalid, SKError.clientInvalid),
        (2, .paymentCancelled, SKError.paymentCancelled),
        (3, .paymentInvalid, SKError.paymentInvalid), (4, .paymentNotAllowed, SKError.paymentNotAllowed),
        (5, .storeProductNotAvailable, SKError.storeProductNotAvailable),
        (6, .cloudServicePermissionDenied, SKError.cloudServicePermissionDenied),
        (7, .cloudServiceNetworkConnectionFailed, SKError.cloudServiceNetworkConnectionFailed),
        (8, .cloudServiceRevoked, SKError.cloudServiceRevoked),
        (9, .privacyAcknowledgementRequired, SKError.privacyAcknowledgementRequired),
        (10, .unauthorizedRequestData, SKError.unauthorizedRequestData),
        (11, .invalidOfferIdentifier, SKError.invalidOfferIdentifier),
        (12, .invalidSignature, SKError.invalidSignature), (13, .missingOfferParams, SKError.missingOfferParams),
        (14, .invalidOfferPrice, SKError.invalidOfferPrice), (15, .overlayCancelled, SKError.overlayCancelled),
        (16, .overlayInvalidConfiguration, SKError.overlayInvalidConfiguration),
        (17, .overlayTimeout, SKError.overlayTimeout),
        (18, .ineligibleForOffer, SKError.ineligibleForOffer), (19, .unsupportedPlatform, SKError.unsupportedPlatform),
        (20, .overlayPresentedInBackgroundScene, SKError.overlayPresentedInBackgroundScene),
    ]

    @Test(arguments: names) func `every code has Apple's number, and its name on SKError`(
        number: Int, code: SKError.Code, named: SKError.Code
    ) {
        expectEqual(code.rawValue, number)
        expectEqual(named, code)
        let error: any Error = NSError(domain: SKErrorDomain, code: number)
        expectEqual((error as? SKError)?.code, code)
    }

    @Test func `an NSError of StoreKit's domain is an SKError with the same information`() throws {
        let cause = NSError(domain: NSURLErrorDomain, code: -1009)
        let error: any Error = NSError(domain: SKErrorDomain, code: 2, userInfo: [NSUnderlyingErrorKey: cause])
        #expect(error is SKError)
        let bridged = try #require(error as? SKError)
        expectEqual(bridged.code, .paymentCancelled)
        #expect(bridged.userInfo[NSUnderlyingErrorKey] as? NSError == cause)
        #expect(bridged.errorUserInfo[NSUnderlyingErrorKey] as? NSError == cause)
    }

    @Test func `an NSError of another domain isn't an SKError`() {
        let error: any Error = NSError(domain: NSURLErrorDomain, code: 2)
        #expect(error as? SKError == nil)
        #expect(!(error is SKError))
    }

    @Test func `an SKError is an NSError with domain, code and information`() {
        let cause = NSError(domain: "cause", code: 7)
        let error: any Error = SKError(
            .paymentInvalid, userInfo: [NSUnderlyingErrorKey: cause, NSLocalizedDescriptionKey: "No."])
        let bridged = error as NSError
        expectEqual(bridged.domain, SKErrorDomain)
        expectEqual(bridged.code, 3)
        #expect(bridged.userInfo[NSUnderlyingErrorKey] as? NSError == cause)
        expectEqual(error.localizedDescription, "No.")
        expectEqual(SKError.errorDomain, "SKErrorDomain")
    }

    @Test func `an unnamed code survives both conversions`() throws {
        let error: any Error = NSError(domain: SKErrorDomain, code: 4711, userInfo: ["key": "value"])
        let bridged = try #require(error as? SKError)
        expectEqual(bridged.errorCode, 4711)
        expectEqual(bridged.code, .unknown)
        let back = (bridged as any Error) as NSError
        expectEqual(back.code, 4711)
        #expect(back.userInfo["key"] as? String == "value")
        expectEqual(SKError.Code(rawValue: 4711), nil)
    }

    @Test(arguments: [
        NSError(domain: SKErrorDomain, code: 2) as any Error & Sendable, SKError(.paymentCancelled),
    ])
    func `catching by code finds the error in either form`(error: any Error & Sendable) {
        do {
            throw error
        } catch SKError.paymentCancelled {
            // As expected.
        } catch {
            Issue.record("\(error) was not caught.")
        }
    }

    @Test(arguments: [
        NSError(domain: SKErrorDomain, code: 3) as any Error & Sendable, NSError(domain: NSURLErrorDomain, code: 2),
        NSError(domain: SKErrorDomain, code: 4711),
    ])
    func `catching by code doesn't match other errors`(error: any Error & Sendable) {
        do {
            throw error
        } catch SKError.paymentCancelled, SKError.unknown {
            Issue.record("\(error) was caught.")
        } catch {
            // As expected.
        }
    }

    @Test func `a wrapped error of another domain keeps its number`() {
        let error = SKError(_nsError: NSError(domain: NSURLErrorDomain, code: -1009))
        expectEqual(error.code, .unknown)
        expectEqual(error.errorCode, -1009)
    }

    @Test func `errors are equal when their numbers and information are`() {
        expectEqual(SKError(.unknown), SKError(.unknown))
        expectEqual(SKError(.unknown).hashValue, SKError(.unknown).hashValue)
        #expect(SKError(.unknown) != SKError(.clientInvalid))
        #expect(SKError(.unknown, userInfo: ["a": 1]) != SKError(.unknown))
        expectEqual(Set([SKError(.unknown), SKError(.unknown), SKError(.overlayTimeout)]).count, 2)
    }
}
