import Foundation
import StoreKit

/// The receipt in the app's bundle, which the App Store keeps up to date whichever engine buys.
package struct DeviceReceipt: Sendable {
    let request: @Sendable () -> SKReceiptRefreshRequest
    let read: @Sendable () -> Data?

    /// - Throws: ``StoreError/Code/receiptUnavailable``
    func data() throws(StoreError) -> Data {
        guard let data = read(), !data.isEmpty else {
            throw StoreError(.receiptUnavailable, "There is no receipt on this device yet; refresh it to get one.")
        }
        return data
    }

    /// Asks the App Store for a new one. Cancelling the task cancels the request.
    func refresh() async throws(StoreError) {
        _ = try await StoreKitRequest(request()).response(during: "The request for a new receipt")
    }
}
