package import AsyncStoreKit
import AsyncStoreKitTesting
package import Foundation

/// A device with an optional receipt, and an App Store whose refresh responses a test can delay.
package final class ReceiptBackend: RelayBackend {
    package let next: any StoreBackend = UnreachableBackend()
    private struct State: Sendable {
        var receipt: Data?
        var answer: Result<Data?, StoreError>
        var refreshes = 0
    }

    private let state: Locked<State>
    private let gate = Gate()

    /// - Parameters:
    ///   - receipt: The receipt on the device.
    ///   - answer: The result of a refresh.
    ///   - holdsRefreshes: Whether refreshes wait for ``answerRefreshes()``.
    package init(receipt: Data? = nil, answer: Result<Data?, StoreError> = .success(nil), holdsRefreshes: Bool = false)
    {
        state = Locked(State(receipt: receipt, answer: answer))
        if !holdsRefreshes { gate.open() }
    }

    package var refreshes: Int { state.withLock { $0.refreshes } }

    /// Waits until a number of refreshes have reached the App Store.
    package func untilRefreshed(_ count: Int) async throws { try await gate.arrivals(count) }
    package func answerRefreshes() { gate.open() }

    package func receiptData() throws(StoreError) -> Data {
        guard let receipt = state.withLock({ $0.receipt }) else { throw StoreError(.receiptUnavailable, "none") }
        return receipt
    }

    package func refreshReceipt() async throws(StoreError) {
        state.withLock { $0.refreshes += 1 }
        await gate.pass()
        let receipt = try state.withLock { $0.answer }.get()
        state.withLock { $0.receipt = receipt }
    }

    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        .receipt(try receiptData())
    }

    package func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory {
        try await purchaseHistory(groups: [])
    }

    package func appTransaction() async throws(StoreError) -> String? { nil }

    package func products(for productIDs: Set<String>) -> ProductsResponse {
        ProductsResponse(products: [], invalidProductIDs: productIDs)
    }
}
