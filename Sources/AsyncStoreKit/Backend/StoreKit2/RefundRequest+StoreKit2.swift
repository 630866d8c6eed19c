import StoreKit

extension StoreError {
    /// Returns the error for an error of a refund request, or `nil` for any other error.
    init?(refundError error: any Error, during what: String) {
        guard #available(tvOS 17, watchOS 10, *), let cause = error as? StoreKit.Transaction.RefundRequestError else {
            return nil
        }
        if cause == .duplicateRequest {
            self.init(.duplicateRefundRequest, "\(what): a refund was requested before.", underlying: cause)
        } else {
            self.init(.refundRequestFailed, "\(what): the refund request failed: \(cause)", underlying: cause)
        }
    }
}

#if !os(tvOS) && !os(watchOS)
    extension StoreKit2Environment {
        /// Returns when a refund request was sent.
        /// - Throws: ``StoreError/Code/userCancelled`` when the customer didn't send the request.
        static func conclude(_ status: StoreKit.Transaction.RefundRequestStatus) throws(StoreError) {
            if status == .userCancelled {
                throw StoreError(.userCancelled, "The customer did not ask for a refund.")
            }
        }
    }

    extension StoreTransaction {
        /// The identifier as StoreKit 2 has it.
        func number() throws(StoreError) -> UInt64 {
            guard let number = id.flatMap(UInt64.init) else {
                throw StoreError(
                    .transactionUnknown, "The transaction has no identifier by which a refund could be asked for.")
            }
            return number
        }
    }
#endif
