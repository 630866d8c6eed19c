import Foundation
import SwiftyStoreKit
import TestHarness
import Testing

/// Raw values, closed sets and defaults that apps depend on.
@Suite(.bounded) struct ReceiptDeclarationTests {
    @Test func `statuses have Apple's numbers`() {
        let statuses: [(ReceiptStatus, Int)] = [
            (.unknown, -2), (.none, -1), (.valid, 0), (.jsonNotReadable, 21_000), (.malformedOrMissingData, 21_002),
            (.receiptCouldNotBeAuthenticated, 21_003), (.secretNotMatching, 21_004),
            (.receiptServerUnavailable, 21_005),
            (.subscriptionExpired, 21_006), (.testReceipt, 21_007), (.productionEnvironment, 21_008),
        ]
        for (status, number) in statuses {
            expectEqual(status.rawValue, number)
            expectEqual(ReceiptStatus(rawValue: number), status)
        }
        expectEqual(ReceiptStatus(rawValue: 21_001), nil)
    }

    @Test func `fields are named as in the JSON`() {
        let fields: [ReceiptInfoField] = [
            .bundle_id, .application_version, .original_application_version, .creation_date, .expiration_date, .in_app,
        ]
        expectEqual(
            fields.map(\.rawValue),
            [
                "bundle_id", "application_version", "original_application_version", "creation_date", "expiration_date",
                "in_app",
            ])
        let inApp: [ReceiptInfoField.InApp] = [
            .quantity, .product_id, .transaction_id, .original_transaction_id, .purchase_date, .original_purchase_date,
            .expires_date,
            .cancellation_date, .version_external_identifier, .web_order_line_item_id,
        ]
        expectEqual(
            inApp.map(\.rawValue),
            [
                "quantity", "product_id", "transaction_id", "original_transaction_id", "purchase_date",
                "original_purchase_date",
                "expires_date", "cancellation_date", "version_external_identifier", "web_order_line_item_id",
            ])
    }

    @Test func `types of subscriptions are distinguished`() {
        let kinds: Set<SubscriptionType> = [
            .autoRenewable, .nonRenewing(validDuration: 1), .nonRenewing(validDuration: 2), .autoRenewable,
        ]
        expectEqual(kinds.count, 3)
    }
}
