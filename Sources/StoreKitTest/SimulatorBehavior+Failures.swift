import AppStoreSimulator
import StoreKit

extension SimulatedError {
    static let unverified = SimulatedError(domain: "StoreKit.VerificationResult", code: 0)
    static let duplicateRefundRequest = SimulatedError(domain: "StoreKit.RefundRequestError", code: 0)
    static let failedRefundRequest = SimulatedError(domain: "StoreKit.RefundRequestError", code: 1)
    static let ineligibleRefundRequest = SimulatedError(domain: "StoreKit.RefundRequestError", code: 2)

    static func refundRequest(_ error: Transaction.RefundRequestError) -> SimulatedError {
        switch error {
        case .duplicateRequest: duplicateRefundRequest
        case .failed: failedRefundRequest
        case .ineligible: ineligibleRefundRequest
        }
    }
}

extension SimulatorBehavior {
    /// Returns the error that a function of StoreKit throws; `nil` if it doesn't.
    func error(of api: any FailableStoreKitAPI) -> SimulatedError? {
        switch api {
        case is StoreKitLoadProductsAPI: productRequestError
        case is StoreKitPurchaseAPI: failTransactionsEnabled ? failureError : nil
        case is StoreKitVerificationAPI: transactionsAreUnverified ? .unverified : nil
        case is StoreKitAppStoreSyncAPI: if case .fails(let error, _) = restoreEnding { error } else { nil }
        case is StoreKitSubscriptionStatusAPI: statusError
        case is StoreKitAppTransactionAPI: appTransactionError
        case is StoreKitManageSubscriptionsAPI: subscriptionManagementError
        case is StoreKitOfferCodeRedeemAPI: offerCodeError
        case is StoreKitRefundRequestAPI:
            switch refundRequestEnding {
            case .sent: nil
            case .userCancelled: .paymentCancelled
            case .duplicateRequest: .duplicateRefundRequest
            case .failed: .failedRefundRequest
            case .ineligible: .ineligibleRefundRequest
            }
        default: nil
        }
    }

    /// Sets the error that a function of StoreKit throws.
    mutating func setError(_ error: SimulatedError?, of api: any FailableStoreKitAPI) {
        switch api {
        case is StoreKitLoadProductsAPI: productRequestError = error
        case is StoreKitPurchaseAPI:
            failTransactionsEnabled = error != nil
            failureError = error ?? .unknown
        case is StoreKitVerificationAPI: transactionsAreUnverified = error != nil
        case is StoreKitAppStoreSyncAPI: restoreEnding = error.map { .fails($0, afterRows: 0) } ?? .finishes
        case is StoreKitSubscriptionStatusAPI: statusError = error
        case is StoreKitAppTransactionAPI: appTransactionError = error
        case is StoreKitManageSubscriptionsAPI: subscriptionManagementError = error
        case is StoreKitOfferCodeRedeemAPI: offerCodeError = error
        case is StoreKitRefundRequestAPI:
            refundRequestEnding =
                switch error {
                case nil: .sent
                case .paymentCancelled?: .userCancelled
                case .duplicateRefundRequest?: .duplicateRequest
                case .ineligibleRefundRequest?: .ineligible
                default: .failed
                }
        default: break
        }
    }
}
