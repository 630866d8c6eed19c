import Foundation
import StoreKit
import SwiftyStoreKit
import TestHarness
import Testing

// Clients switch over the enums of 0.16.4 without a default, so another case is an error in clients and in these tests.
@Suite(.bounded) struct ExhaustiveSwitchTests {
    private func name(_ result: PurchaseResult) -> String {
        switch result {
        case .success(let purchase): purchase.productId
        case .deferred(let purchase): purchase.productId
        case .error(let error): "\(error.code)"
        }
    }

    private func name(_ result: TransactionResult) -> String {
        switch result {
        case .purchased(let purchase): purchase.productId
        case .restored(let purchase): purchase.productId
        case .deferred(let purchase): purchase.productId
        case .failed(let error): "\(error.code)"
        }
    }

    private func name(_ result: FetchReceiptResult) -> String {
        switch result {
        case .success(let receiptData): "\(receiptData)"
        case .error(let error): name(error)
        }
    }

    private func name(_ result: VerifyReceiptResult) -> String {
        switch result {
        case .success(let receipt): "\(receipt)"
        case .error(let error): name(error)
        }
    }

    private func name(_ result: VerifyPurchaseResult) -> String {
        switch result {
        case .purchased(let item): item.productId
        case .notPurchased: "not purchased"
        }
    }

    private func name(_ result: VerifySubscriptionResult) -> String {
        switch result {
        case .purchased(let expiryDate, let items): "\(expiryDate) \(items)"
        case .expired(let expiryDate, let items): "\(expiryDate) \(items)"
        case .notPurchased: "not purchased"
        }
    }

    private func name(_ type: SubscriptionType) -> String {
        switch type {
        case .autoRenewable: "auto-renewable"
        case .nonRenewing(let validDuration): "\(validDuration)"
        }
    }

    private func name(_ error: ReceiptError) -> String {
        switch error {
        case .noReceiptData: "no receipt"
        case .noRemoteData: "no answer"
        case .requestBodyEncodeError(let error): "\(error)"
        case .networkError(let error): "\(error)"
        case .jsonDecodeError(let string): string ?? ""
        case .receiptInvalid(let receipt, let status): "\(receipt) \(name(status))"
        }
    }

    private func name(_ status: ReceiptStatus) -> String {
        switch status {
        case .unknown, .none, .valid, .jsonNotReadable, .malformedOrMissingData, .receiptCouldNotBeAuthenticated,
            .secretNotMatching,
            .receiptServerUnavailable, .subscriptionExpired, .testReceipt, .productionEnvironment:
            "\(status.rawValue)"
        }
    }

    private func name(_ service: AppleReceiptValidator.VerifyReceiptURLType) -> String {
        switch service {
        case .production, .sandbox: service.rawValue
        }
    }

    private func name(_ field: ReceiptInfoField) -> String {
        switch field {
        case .bundle_id, .application_version, .original_application_version, .creation_date, .expiration_date, .in_app:
            field.rawValue
        }
    }

    private func name(_ field: ReceiptInfoField.InApp) -> String {
        switch field {
        case .quantity, .product_id, .transaction_id, .original_transaction_id, .purchase_date, .original_purchase_date,
            .expires_date,
            .cancellation_date, .version_external_identifier, .web_order_line_item_id:
            field.rawValue
        #if os(iOS) || os(tvOS)
            case .app_item_id: field.rawValue
        #endif
        }
    }

    @Test func `each case has its associated values`() {
        #expect(name(PurchaseResult.error(error: SKError(.unknown))) == "\(SKError.Code.unknown)")
        #expect(name(TransactionResult.failed(error: SKError(.unknown))) == "\(SKError.Code.unknown)")
        #expect(name(FetchReceiptResult.error(error: .noReceiptData)) == "no receipt")
        #expect(
            name(VerifyReceiptResult.error(error: .receiptInvalid(receipt: [:], status: .testReceipt))).hasSuffix(
                "21007"))
        #expect(name(VerifyPurchaseResult.notPurchased) == name(VerifySubscriptionResult.notPurchased))
        #expect(name(SubscriptionType.autoRenewable) == "auto-renewable")
        #expect(name(AppleReceiptValidator.VerifyReceiptURLType.sandbox).contains("sandbox"))
        #expect(name(ReceiptInfoField.in_app) == "in_app" && name(ReceiptInfoField.InApp.quantity) == "quantity")
    }
}
