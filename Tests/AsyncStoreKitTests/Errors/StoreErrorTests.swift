import AsyncStoreKit
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct StoreErrorTests {
    @Test func `errors are equal when code and message are, and then have equal hashes`() {
        let error = StoreError(.network, "No network.")
        let same = StoreError(.network, "No network.", underlying: StoreError(.unknown, ""))
        #expect(error == same)
        #expect(error.hashValue == same.hashValue)
        #expect(error != StoreError(.timedOut, "No network."))
        #expect(error != StoreError(.network, "Slow network."))
        let others = [
            error, same, StoreError(.timedOut, "No network."), StoreError(.network, "Slow network."), StoreError(.network, ""),
        ]
        #expect(Set(others).count == 4)
    }

    @Test func `an error says what it is in words, also where it is only an Error`() {
        let error: any Error = StoreError(.invalidQuantity, "The quantity is 0.")
        #expect("\(error)" == "invalidQuantity: The quantity is 0.")
        #expect(error.localizedDescription == "The quantity is 0.")
    }

    @Test func `the code names itself`() {
        #expect(StoreError.Code.paymentCancelled.description == "paymentCancelled")
        #expect("\(StoreError.Code.restoreInProgress)" == "restoreInProgress")
    }

    @Test func `what lies underneath is kept`() {
        let cause = URLError(.timedOut)
        #expect(StoreError(.timedOut, "", underlying: cause).underlying as? URLError == cause)
        #expect(StoreError(.timedOut, "").underlying == nil)
    }

    @Test func `every code is its own`() {
        let codes: [StoreError.Code] = [
            .cancelled, .timedOut, .network, .storeClosed, .backendUnavailable, .invalidQuantity, .invalidProductIDs,
            .productNotFound, .conflictingAccount, .restoreInProgress, .transactionRemoved, .transactionNotFinishable,
            .transactionUnknown, .transactionFinished, .deliveryFailed, .deliveryRejected, .deliveryPending, .receiptUnavailable,
            .unknown, .clientInvalid, .paymentCancelled, .paymentInvalid, .paymentNotAllowed, .productNotAvailable,
            .cloudServicePermissionDenied, .cloudServiceNetworkConnectionFailed, .cloudServiceRevoked,
            .privacyAcknowledgementRequired, .unauthorizedRequestData, .invalidOfferIdentifier, .invalidSignature,
            .missingOfferParameters, .invalidOfferPrice, .overlayCancelled, .overlayInvalidConfiguration, .overlayTimeout,
            .ineligibleForOffer, .unsupportedPlatform, .overlayPresentedInBackgroundScene,
        ]
        #expect(Set(codes).count == codes.count)
        #expect(Set(codes.map(\.description)).count == codes.count)
    }
}
