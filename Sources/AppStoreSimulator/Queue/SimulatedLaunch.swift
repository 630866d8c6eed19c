public import Foundation

/// One run of the app on the simulated device: its payment queue, its requests, its receipt file.
///
/// A launch is dead as soon as there is a newer one: it hears of nothing, and its calls do nothing.
public final class SimulatedLaunch: Sendable {
    /// The App Store behind it.
    public let store: SimulatedAppStore

    init(store: SimulatedAppStore) { self.store = store }
    /// Whether no newer launch has replaced this one.
    public var isCurrent: Bool { true }
    /// Adds an observer, which the queue holds weakly.
    public func add(_ observer: any SimulatedQueueObserver) {}
    /// Removes an observer.
    public func remove(_ observer: any SimulatedQueueObserver) {}
    /// The observers that are still there.
    public var observers: [any SimulatedQueueObserver] { [] }
    /// The transactions of the queue, as they were last reported; in step only while there is an observer.
    public var transactions: [SimulatedTransaction] { [] }
    /// Adds a payment.
    public func add(_ payment: SimulatedPayment) {}
    /// Finishes a transaction.
    public func finishTransaction(_ id: SimulatedTransaction.ID) {}
    /// Gives again what the account has bought and finished.
    public func restoreCompletedTransactions(applicationUsername: String? = nil) {}
    /// Brings the app back from the background: unfinished transactions are reported again.
    public func enterForeground() {}
    /// Whether the device may pay.
    public var canMakePayments: Bool { true }
    /// The storefront of the account.
    public var storefront: SimulatedStorefront? { nil }
    /// Asks for products.
    public func productsRequest(
        _ identifiers: Set<String>, handler: @escaping @Sendable (SimulatedRequest.Event) -> Void
    ) -> SimulatedRequest { SimulatedRequest() }
    /// Asks for a new receipt.
    public func receiptRefreshRequest(
        properties: SimulatedReceiptProperties = SimulatedReceiptProperties(), handler: @escaping @Sendable (SimulatedRequest.Event) -> Void
    ) -> SimulatedRequest { SimulatedRequest() }
    /// The receipt file as it lies on the device now; `nil` until there is one.
    public var receipt: Data? { nil }
    /// Starts downloads.
    public func start(_ downloads: [SimulatedDownload.ID]) {}
    /// Halts downloads.
    public func pause(_ downloads: [SimulatedDownload.ID]) {}
    /// Lets halted downloads go on.
    public func resume(_ downloads: [SimulatedDownload.ID]) {}
    /// Withdraws downloads.
    public func cancel(_ downloads: [SimulatedDownload.ID]) {}
    /// Shows the sheet for offer codes: recorded in ``presentedSheets``.
    public func presentCodeRedemptionSheet() {}
    /// Shows the sheet for price increases: recorded in ``presentedSheets``.
    public func showPriceConsentIfNeeded() {}
    /// The sheets shown in this launch, in order.
    public var presentedSheets: [Sheet] { [] }
    /// A sheet that the system shows for the app.
    public enum Sheet: Sendable, Hashable, CaseIterable {
        /// For redeeming an offer code.
        case codeRedemption
        /// For agreeing to a higher price.
        case priceConsent
    }
}
