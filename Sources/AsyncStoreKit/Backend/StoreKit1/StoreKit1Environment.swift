import Foundation
package import StoreKit

/// Where StoreKit's objects come from: the process's own, or a test's.
package struct StoreKit1Environment: Sendable {
    package let queue: SKPaymentQueue
    let canMakePayments: @Sendable () -> Bool
    let productsRequest: @Sendable (Set<String>) -> SKProductsRequest
    let receiptRequest: @Sendable () -> SKReceiptRefreshRequest
    let receipt: @Sendable () -> Data?
}
