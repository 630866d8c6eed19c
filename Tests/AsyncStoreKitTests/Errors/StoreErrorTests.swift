import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct StoreErrorTests {
    @Test func `errors are equal when code and message are, and then have equal hashes`() {
        let error = StoreError(.networkError, "No network.")
        let same = StoreError(.networkError, "No network.", underlying: StoreError(.unknown, ""))
        expectEqual(error, same)
        expectEqual(error.hashValue, same.hashValue)
        #expect(error != StoreError(.timedOut, "No network."))
        #expect(error != StoreError(.networkError, "Slow network."))
        let others = [
            error, same, StoreError(.timedOut, "No network."), StoreError(.networkError, "Slow network."), StoreError(.networkError, ""),
        ]
        expectEqual(Set(others).count, 4)
    }

    @Test func `an error has a message for developers`() {
        let error: any Error = StoreError(.invalidQuantity, "The quantity is 0.")
        expectEqual("\(error)", "invalidQuantity: The quantity is 0.")
    }

    @Test func `customers read StoreKit's own text, or a plain sentence without identifiers`() {
        let cause = NSError(domain: "SKErrorDomain", code: 3, userInfo: [NSLocalizedDescriptionKey: "Keine Zahlung"])
        let told = StoreError(storeKitError: cause, during: "The purchase of \"com.example.pro\"")
        expectEqual(told.localizedDescription, "Keine Zahlung")
        #expect(told.message.contains("com.example.pro") && told.message.contains("Keine Zahlung"))
        for code in Self.codes {
            let text = StoreError(code, "com.example.pro 4f2a", underlying: URLError(.unknown)).localizedDescription
            #expect(text.hasSuffix(".") && text.count > 10)
            #expect(!text.contains("com.example") && !text.contains("4f2a"))
        }
    }

    @Test func `time mends some, and customers want others`() {
        let retryable = Self.codes.filter { StoreError($0, "").isRetryable }
        expectEqual(
            Set(retryable),
            [
                .networkError, .systemError, .timedOut, .restoreInProgress, .deliveryPending, .receiptIncomplete,
                .deviceIdentifierUnavailable,
            ])
        let wanted = Self.codes.filter { StoreError($0, "").isUserInitiated }
        expectEqual(Set(wanted), [.userCancelled, .taskCancelled, .downloadCancelled])
    }

    @Test func `the code names itself`() {
        expectEqual(StoreError.Code.userCancelled.description, "userCancelled")
        expectEqual("\(StoreError.Code.restoreInProgress)", "restoreInProgress")
    }

    @Test func `what lies underneath is kept`() {
        let cause = URLError(.timedOut)
        #expect(StoreError(.timedOut, "", underlying: cause).underlying as? URLError == cause)
        #expect(StoreError(.timedOut, "").underlying == nil)
    }

    @Test func `every code is its own`() {
        expectEqual(Set(Self.codes).count, Self.codes.count)
        expectEqual(Set(Self.codes.map(\.description)).count, Self.codes.count)
    }

    private static let codes: [StoreError.Code] = [
        .unknown, .userCancelled, .networkError, .systemError, .notAvailableInStorefront, .notEntitled, .unsupported, .invalidQuantity,
        .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice,
        .invalidOfferSignature, .missingOfferParameters, .storeKit, .taskCancelled, .timedOut, .storeClosed, .backendUnavailable,
        .invalidProductIDs, .invalidURL, .restoreInProgress, .approvalDeclined, .transactionRemoved, .transactionNotFinishable,
        .unknownTransaction, .transactionFinished, .deliveryFailed, .deliveryRejected, .deliveryPending, .downloadFailed,
        .downloadCancelled, .purchaseIntentAlreadyUsed, .receiptUnavailable, .receiptIncomplete, .receiptInvalid,
        .deviceIdentifierUnavailable,
        .unverified, .invalidAccount, .refundDuplicate, .refundFailed, .refundIneligible, .purchaseInterrupted, .offerUnavailable,
        .paymentMethodRequired, .billingPlanUnavailable, .invalidPresentationContext,
    ]
}
