#if !os(macOS) && !os(tvOS) && !os(watchOS)
    import Foundation
    import StoreKit

    extension PaymentQueueObserver {
        func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
            state.withLock { $0.queue.policies.shouldShowPriceConsent }?() ?? true
        }
    }

    extension StoreKit1Backend: SystemSheetBackend {
        package var sheets: (any SystemSheetBackend)? { self }

        /// Presents a sheet of the queue. Returns at once: the queue doesn't report when the sheet is closed.
        package func present(
            _ sheet: StoreSheet, in anchor: PresentationAnchor?
        ) async throws(StoreError) -> StoreTransaction? {
            switch sheet {
            case .codeRedemption:
                // On Mac Catalyst the call does nothing.
                #if targetEnvironment(macCatalyst)
                    throw .unsupported(sheet)
                #else
                    environment.queue.presentCodeRedemptionSheet()
                #endif
            case .priceConsent: environment.queue.showPriceConsentIfNeeded()
            default: throw .unsupported(sheet)
            }
            return nil
        }

        /// Does nothing: StoreKit 1 reports no messages.
        package func startObservingMessages() {}
    }
#else
    // The payment queue has no sheets on these systems.
    extension StoreKit1Backend {
        package var sheets: (any SystemSheetBackend)? { nil }
    }
#endif
