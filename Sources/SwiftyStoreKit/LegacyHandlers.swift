import AsyncStoreKit

/// The handlers that are set, not passed.
struct LegacyHandlers: Sendable {
    /// Decides about purchases begun in the App Store; the closure itself is kept with the backend.
    var storePayment: StorePaymentHandler?
    var updatedDownloads: DownloadsHandler?
    /// Ends listening for ``updatedDownloads``.
    var downloadsCall: StoreCall?
}
