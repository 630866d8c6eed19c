#if !os(macOS) && !os(tvOS) && !os(watchOS)
    import Foundation
    import StoreKit

    extension PaymentQueueObserver {
        func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
            state.withLock { $0.policies.shouldShowPriceConsent }?() ?? true
        }
    }

    extension StoreKit1Backend {
        /// Has the queue show a sheet. It does not say when that is closed.
        package func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError) {
            switch sheet {
            case .codeRedemption: environment.queue.presentCodeRedemptionSheet()
            case .priceConsent: environment.queue.showPriceConsentIfNeeded()
            case .subscriptionManagement, .refundRequest, .message: throw .unsupported(sheet)
            }
        }
    }
#endif
