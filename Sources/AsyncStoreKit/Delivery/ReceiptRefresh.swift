package import Foundation

/// How a delivery gets a new receipt. It takes no part in its request's equality.
package struct ReceiptRefresh: Sendable, Hashable {
    private let refresh: @Sendable () async throws(StoreError) -> Data

    package init(_ refresh: @escaping @Sendable () async throws(StoreError) -> Data) {
        self.refresh = refresh
    }

    package func callAsFunction() async throws(StoreError) -> Data {
        try await refresh()
    }

    package static func == (left: ReceiptRefresh, right: ReceiptRefresh) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
