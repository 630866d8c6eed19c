#if os(iOS) || os(macOS) || os(visionOS)
    import StoreKit

    extension StoreKit2Environment {
        /// - Throws: ``StoreError/Code/userCancelled`` when the customer gave up.
        static func conclude(_ status: StoreKit.Transaction.RefundRequestStatus) throws(StoreError) {
            switch status {
            case .success: break
            case .userCancelled: throw StoreError(.userCancelled, "The customer did not ask for a refund.")
            @unknown default: break
            }
        }
    }

    extension StoreTransaction {
        /// The identifier as StoreKit 2 has it.
        func number() throws(StoreError) -> UInt64 {
            guard let number = id.flatMap(UInt64.init) else {
                throw StoreError(.transactionUnknown, "The transaction has no identifier by which a refund could be asked for.")
            }
            return number
        }
    }
#endif
