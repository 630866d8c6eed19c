package import Foundation

/// The receipt on the device, which the App Store maintains whichever engine buys.
package struct DeviceReceipt: Sendable {
    private let read: @Sendable () -> Data?
    private let request: StoreFunction<Void, Void>

    package init(
        read: @escaping @Sendable () -> Data?, request: @escaping @Sendable () async throws(StoreError) -> Void
    ) {
        self.read = read
        self.request = StoreFunction(request)
    }

    /// Returns the content of the receipt.
    /// - Throws: ``StoreError/Code/receiptUnavailable`` if there's no receipt.
    package func data() throws(StoreError) -> Data {
        guard let data = read(), !data.isEmpty else {
            throw StoreError(.receiptUnavailable, "There is no receipt on this device yet; refresh it to get one.")
        }
        return data
    }

    /// Requests a new receipt from the App Store. Canceling the task cancels the request.
    package func refresh() async throws(StoreError) {
        try await request()
    }
}
