import StoreKit

extension StoreError {
    /// Returns the error for an error of a refund request, or `nil` for any other error.
    init?(refundError error: any Error, during what: String) {
        guard #available(tvOS 17, watchOS 10, *), let cause = error as? StoreKit.Transaction.RefundRequestError else {
            return nil
        }
        let code: Code = cause == .duplicateRequest ? .refundDuplicate : Code.later(cause) ?? .refundFailed
        self.init(storeKit2: code, during: what, underlying: cause)
    }
}

#if !os(tvOS) && !os(watchOS)
    extension SystemStoreKit2 {
        /// Returns if the refund request was sent.
        /// - Throws: ``StoreError/Code/userCancelled`` when the customer didn't send the request.
        static func conclude(_ status: StoreKit.Transaction.RefundRequestStatus) throws(StoreError) {
            if status == .userCancelled { throw StoreError(storeKit2: .userCancelled, during: "The sheet") }
        }
    }
#endif
