import Foundation
public import SwiftyStoreKit

// Conformances of apps, which must still compile. Therefore the module must not declare these conformances.

extension ReceiptItem: Equatable {
    /// Compares.
    public static func == (left: ReceiptItem, right: ReceiptItem) -> Bool {
        left.productId == right.productId && left.quantity == right.quantity
            && left.transactionId == right.transactionId
            && left.originalTransactionId == right.originalTransactionId && left.purchaseDate == right.purchaseDate
            && left.originalPurchaseDate == right.originalPurchaseDate
            && left.webOrderLineItemId == right.webOrderLineItemId
            && left.subscriptionExpirationDate == right.subscriptionExpirationDate
            && left.cancellationDate == right.cancellationDate
            && left.isTrialPeriod == right.isTrialPeriod && left.isInIntroOfferPeriod == right.isInIntroOfferPeriod
            && left.isUpgraded == right.isUpgraded
    }
}

extension VerifyPurchaseResult: Equatable {
    /// Compares.
    public static func == (left: VerifyPurchaseResult, right: VerifyPurchaseResult) -> Bool {
        switch (left, right) {
        case (.purchased(let left), .purchased(let right)): left == right
        case (.notPurchased, .notPurchased): true
        case (.purchased, _), (.notPurchased, _): false
        }
    }
}

extension VerifySubscriptionResult: Equatable {
    /// Compares.
    public static func == (left: VerifySubscriptionResult, right: VerifySubscriptionResult) -> Bool {
        switch (left, right) {
        case (.purchased(let leftDate, let left), .purchased(let rightDate, let right)),
            (.expired(let leftDate, let left), .expired(let rightDate, let right)):
            leftDate == rightDate && left == right
        case (.notPurchased, .notPurchased): true
        case (.purchased, _), (.expired, _), (.notPurchased, _): false
        }
    }
}
