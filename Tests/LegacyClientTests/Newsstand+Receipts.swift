import Foundation
import SwiftyStoreKit

/// Validates on the newsstand's server, and keeps the last response for offline readers.
final class NewsstandValidator: ReceiptValidator {
    typealias Upload = (_ receipt: String, _ answer: @escaping (Data?, Error?) -> Void) -> Void

    private let upload: Upload

    init(upload: @escaping Upload) {
        self.upload = upload
    }

    func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void) {
        upload(receiptData.base64EncodedString()) { data, error in
            if let error { return completion(.error(error: .networkError(error: error))) }
            guard let data, !data.isEmpty else { return completion(.error(error: .noRemoteData)) }
            guard let info = (try? JSONSerialization.jsonObject(with: data)) as? ReceiptInfo else {
                return completion(.error(error: .jsonDecodeError(string: String(data: data, encoding: .utf8))))
            }
            let status = (info["status"] as? Int).flatMap(ReceiptStatus.init) ?? ReceiptStatus.none
            completion(
                status == .valid
                    ? .success(receipt: info) : .error(error: .receiptInvalid(receipt: info, status: status)))
        }
    }
}

@available(*, deprecated)
extension Newsstand {
    /// Uses Apple's server during development and the newsstand's server in production.
    func validator(isBeta: Bool, upload: @escaping NewsstandValidator.Upload) -> ReceiptValidator {
        guard isBeta else { return NewsstandValidator(upload: upload) }
        let apple = AppleReceiptValidator(sharedSecret: nil)
        apple.service = .sandbox
        return apple
    }

    func checkAccess(by validator: ReceiptValidator, _ show: @escaping (String) -> Void) -> InAppRequest? {
        SwiftyStoreKit.verifyReceipt(using: validator, forceRefresh: true) { outcome in
            switch outcome {
            case .success(let receipt): show(Self.access(in: receipt, at: Date()))
            case .error(let reason): show(Self.advice(for: reason))
            }
        }
    }

    /// Sends the receipt along with a message to support.
    func attachReceipt(to letter: @escaping (Data?) -> Void) {
        if let onDevice = SwiftyStoreKit.localReceiptData { return letter(onDevice) }
        SwiftyStoreKit.fetchReceipt(forceRefresh: false) { outcome in
            if case .success(let receiptData) = outcome { letter(receiptData) } else { letter(nil) }
        }
    }

    static func access(in receipt: ReceiptInfo, at date: Date) -> String {
        var parts: [String] = []
        switch SwiftyStoreKit.verifySubscriptions(productIds: subscriptions, inReceipt: receipt, validUntil: date) {
        case .purchased(let end, let periods):
            parts.append("reads until \(end.timeIntervalSince1970), period \(periods.count)")
        case .expired(let end, _): parts.append("read until \(end.timeIntervalSince1970)")
        case .notPurchased: parts.append("never subscribed")
        }
        if case .purchased(let item) = SwiftyStoreKit.verifyPurchase(productId: archive, inReceipt: receipt) {
            parts.append("archive \(item.transactionId)×\(item.quantity)")
        }
        let month = SubscriptionType.nonRenewing(validDuration: 2_592_000)
        if case .expired(let end, _) = SwiftyStoreKit.verifySubscription(
            ofType: month, productId: prefix + "month", inReceipt: receipt, validUntil: date)
        {
            parts.append("month over since \(end.timeIntervalSince1970)")
        }
        let owned = SwiftyStoreKit.getDistinctPurchaseIds(ofType: .autoRenewable, inReceipt: receipt) ?? []
        return (parts + owned.sorted()).joined(separator: "; ")
    }

    static func advice(for reason: ReceiptError) -> String {
        switch reason {
        case .noReceiptData: "Restore your purchases first"
        case .networkError(let cause), .requestBodyEncodeError(let cause): "Later: \((cause as NSError).code)"
        case .noRemoteData: "The server said nothing"
        case .jsonDecodeError(let text): "The server said: \(text ?? "")"
        case .receiptInvalid(_, let status): "Refused with \(status.rawValue)"
        }
    }
}
