// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import StoreKit
import SwiftyStoreKit

// Conformances that clients added to the types of 0.16.4. Each is an error if the library declares the conformance
// itself. A client in another package writes `@retroactive` before the protocol; inside one package that is an error.

extension ReceiptItem: Equatable {
    public static func == (left: ReceiptItem, right: ReceiptItem) -> Bool { left.transactionId == right.transactionId }
}

extension ReceiptItem: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(transactionId) }
}

extension Purchase: Equatable {
    public static func == (left: Purchase, right: Purchase) -> Bool { left.productId == right.productId }
}

extension PurchaseDetails: Equatable {
    public static func == (left: PurchaseDetails, right: PurchaseDetails) -> Bool { left.productId == right.productId }
}

extension RetrieveResults: Equatable {
    public static func == (left: RetrieveResults, right: RetrieveResults) -> Bool {
        left.retrievedProducts == right.retrievedProducts
    }
}

extension RestoreResults: Equatable {
    public static func == (left: RestoreResults, right: RestoreResults) -> Bool {
        left.restoredPurchases == right.restoredPurchases
    }
}

extension PurchaseResult: Equatable {
    public static func == (left: PurchaseResult, right: PurchaseResult) -> Bool {
        if case (.success(let left), .success(let right)) = (left, right) { left == right } else { false }
    }
}

extension VerifyPurchaseResult: Equatable {
    public static func == (left: VerifyPurchaseResult, right: VerifyPurchaseResult) -> Bool {
        if case (.purchased(let left), .purchased(let right)) = (left, right) { left == right } else { false }
    }
}

extension VerifySubscriptionResult: Equatable {
    public static func == (left: VerifySubscriptionResult, right: VerifySubscriptionResult) -> Bool {
        if case (.purchased(_, let left), .purchased(_, let right)) = (left, right) { left == right } else { false }
    }
}

extension FetchReceiptResult: Equatable {
    public static func == (left: FetchReceiptResult, right: FetchReceiptResult) -> Bool {
        if case (.success(let left), .success(let right)) = (left, right) { left == right } else { false }
    }
}

extension VerifyReceiptResult: CustomStringConvertible {
    public var description: String { "VerifyReceiptResult" }
}

extension TransactionResult: CustomStringConvertible {
    public var description: String { "TransactionResult" }
}

extension ReceiptError: LocalizedError {
    public var errorDescription: String? { "ReceiptError" }
}

extension ReceiptStatus: CaseIterable {
    public static var allCases: [ReceiptStatus] { [.valid] }
}

extension PaymentDiscount: Equatable {
    public static func == (left: PaymentDiscount, right: PaymentDiscount) -> Bool { false }
}

extension SubscriptionType: CustomStringConvertible {
    public var description: String { "SubscriptionType" }
}

// Conformances for sending the types to other threads:

extension ReceiptItem: @unchecked Sendable {}
extension Purchase: @unchecked Sendable {}
extension PurchaseDetails: @unchecked Sendable {}
extension RetrieveResults: @unchecked Sendable {}
extension PurchaseResult: @unchecked Sendable {}
