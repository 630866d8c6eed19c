package import AsyncStoreKit
import Foundation

/// A message for the customer about a purchase, a restore or a sheet, as `purchaseErrorAlert(_:)` shows it.
package struct StoreAlert: Sendable, Hashable {
    package let title: String
    package let message: String
    /// The error; `nil` for a message about a success, such as a restore that found nothing.
    package let error: StoreError?

    /// The action that failed.
    package enum Action: Sendable, Hashable, CaseIterable {
        case purchase, restore, sheet
    }

    private init(_ title: CustomerText, _ message: String, _ error: StoreError? = nil) {
        self.title = CustomerTexts.current.text(title)
        self.message = message
        self.error = error
    }

    /// Returns `nil` for an error that needs no message: the customer ended the call, or the purchase is paid and is
    /// going to be delivered.
    package init?(_ error: StoreError, during action: Action) {
        guard !error.isUserInitiated, error.code != .deliveryPending else { return nil }
        let title: CustomerText =
            switch action {
            case .purchase: .alertPurchaseFailed
            case .restore: .alertRestoreFailed
            case .sheet: .alertFailed
            }
        self.init(title, error.localizedDescription, error)
    }

    /// Returns `nil` for a restore that the customer canceled.
    package init?(_ outcome: RestoreOutcome) {
        guard case .restored(let purchases) = outcome else { return nil }
        guard !purchases.isEmpty else {
            self.init(.alertNothingRestored, CustomerTexts.current.text(.alertNothingRestoredMessage))
            return
        }
        self.init(.alertRestored, CustomerTexts.current.text(.alertRestoredMessage, count: outcome.productIDs.count))
    }

    /// Returns `nil` for a request that the customer canceled.
    package init?(_ outcome: RefundRequestOutcome) {
        guard outcome == .submitted else { return nil }
        self.init(.alertRefundRequested, CustomerTexts.current.text(.alertRefundRequestedMessage))
    }
}
