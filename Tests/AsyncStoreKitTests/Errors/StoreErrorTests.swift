import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct StoreErrorTests {
    @Test func `errors are equal if their codes and messages are, and then have equal hashes`() {
        let error = StoreError(.networkError, "No network.")
        let same = StoreError(.networkError, "No network.", underlying: StoreError(.unknown, ""))
        expectEqual(error, same)
        expectEqual(error.hashValue, same.hashValue)
        #expect(error != StoreError(.timedOut, "No network."))
        #expect(error != StoreError(.networkError, "Slow network."))
        let others = [
            error, same, StoreError(.timedOut, "No network."), StoreError(.networkError, "Slow network."),
            StoreError(.networkError, ""),
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

    @Test func `each situation has its text, and each error text its situation`() {
        let texts = Self.codes.map(\.customerText)
        expectEqual(Set(texts), Set(CustomerText.allCases.filter { $0.rawValue.hasPrefix("error.") }))
        let english = CustomerTexts(languages: ["en"])
        let text = { (code: StoreError.Code) in english.text(code.customerText) }
        #expect(text(.notAvailableInStorefront).contains("country"))
        // The country isn't the cause of a mistyped identifier, or of a product that isn't approved yet.
        expectEqual(text(.productUnavailable), "This item isn’t available right now.")
        expectEqual(text(.ineligibleForOffer), "You aren’t eligible for this offer.")
        expectEqual(text(.invalidOfferSignature), "This offer isn’t available right now.")
        // Customers who have paid aren't asked to pay again.
        #expect(text(.deliveryFailed).hasSuffix("You don’t need to buy it again."))
        expectEqual(text(.deliveryPending), text(.deliveryFailed))
        // An error of the app doesn't go away when the customer waits.
        for code in [StoreError.Code.invalidProductIDs, .invalidAccount, .invalidURL, .notEntitled, .storeClosed] {
            expectEqual(text(code), "Something went wrong. If this happens again, contact the app’s support.")
        }
    }

    @Test func `customers are asked to try again later if the call may succeed then`() {
        let english = CustomerTexts(languages: ["en"])
        let later = Self.codes.filter { english.text($0.customerText).contains("later") }
        #expect(later.filter { !StoreError($0, "").isRetryable } == [.refundFailed])
        let retryable = Self.codes.filter { StoreError($0, "").isRetryable && !later.contains($0) }
        // The network has its own text. The other calls continue without the customer.
        expectEqual(Set(retryable), [.networkError, .restoreInProgress, .deliveryPending])
    }

    @Test func `some errors are retryable, and some are caused by the customer`() {
        let retryable = Self.codes.filter { StoreError($0, "").isRetryable }
        expectEqual(
            Set(retryable),
            [
                .networkError, .systemError, .timedOut, .restoreInProgress, .deliveryPending, .receiptIncomplete,
                .deviceIdentifierUnavailable,
            ])
        let wanted = Self.codes.filter { StoreError($0, "").isUserInitiated }
        expectEqual(Set(wanted), [.userCancelled, .taskCancelled])
    }

    @Test func `a code prints its name`() {
        expectEqual(StoreError.Code.userCancelled.description, "userCancelled")
        expectEqual("\(StoreError.Code.restoreInProgress)", "restoreInProgress")
    }

    @Test func `the underlying error is kept`() {
        let cause = URLError(.timedOut)
        #expect(StoreError(.timedOut, "", underlying: cause).underlying as? URLError == cause)
        #expect(StoreError(.timedOut, "").underlying == nil)
    }

    @Test func `every code is different`() {
        expectEqual(Set(Self.codes).count, Self.codes.count)
        expectEqual(Set(Self.codes.map(\.description)).count, Self.codes.count)
    }

    private static let codes: [StoreError.Code] = [
        .unknown, .userCancelled, .networkError, .systemError, .notAvailableInStorefront, .notEntitled, .unsupported,
        .invalidQuantity,
        .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice,
        .invalidOfferSignature, .missingOfferParameters, .storeKit, .taskCancelled, .timedOut, .storeClosed,
        .backendUnavailable,
        .invalidProductIDs, .invalidURL, .restoreInProgress, .approvalDeclined, .transactionRemoved,
        .transactionNotFinishable,
        .unknownTransaction, .transactionFinished, .deliveryFailed, .deliveryRejected, .deliveryPending,
        .purchaseIntentAlreadyUsed, .receiptUnavailable, .receiptIncomplete, .receiptInvalid,
        .deviceIdentifierUnavailable,
        .unverified, .invalidAccount, .refundDuplicate, .refundFailed, .refundIneligible, .purchaseInterrupted,
        .offerUnavailable,
        .paymentMethodRequired, .billingPlanUnavailable, .seatsUnavailable, .invalidPresentationContext,
    ]
}
