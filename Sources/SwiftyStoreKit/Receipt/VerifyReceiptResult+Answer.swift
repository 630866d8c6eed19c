import AppReceipt
import Foundation
import StoreKit

extension VerifyReceiptResult {
    /// What the old API says of an answer of `verifyReceipt`.
    ///
    /// - Parameters:
    ///   - body: the last answer, whatever the status of HTTP.
    ///   - error: why it is no receipt, as the reader of receipts sees it. It is stricter than apps' own reading has to be: an answer that
    ///     says it is valid is handed on as it is.
    init(body: Data?, error: VerifyReceiptError?) {
        if let error, let failure = ReceiptError(withoutAnswer: error) {
            self = .error(error: failure)
            return
        }
        guard let body, !body.isEmpty else {
            self = .error(error: .noRemoteData)
            return
        }
        guard case .object(let answer)? = try? ReceiptValue(json: body) else {
            self = .error(error: .jsonDecodeError(string: String(data: body, encoding: .utf8)))
            return
        }
        let receipt = ReceiptInfo(answer)
        let status = ReceiptStatus(of: answer["status"])
        // 21006 with a receipt says that a genuine receipt's subscription has expired.
        let isGenuine = status == .valid || (status == .subscriptionExpired && answer["receipt"] != nil)
        self = isGenuine ? .success(receipt: receipt) : .error(error: .receiptInvalid(receipt: receipt, status: status))
    }
}

extension ReceiptStatus {
    fileprivate init(of value: ReceiptValue?) {
        switch value {
        case .number(let text), .string(let text): self = Int(text).flatMap(ReceiptStatus.init(rawValue:)) ?? .unknown
        case nil, .null: self = .none
        default: self = .unknown
        }
    }
}

extension ReceiptError {
    /// What there is to say without an answer; `nil` when there was one.
    fileprivate init?(withoutAnswer error: VerifyReceiptError) {
        switch error.code {
        case .cancelled: self = .networkError(error: SKError(.paymentCancelled))
        case .network: self = .networkError(error: error.underlying ?? URLError(.unknown))
        // It leads to where the receipt is not sent.
        case .httpStatus where (300...399).contains(error.httpStatus ?? 0):
            self = .networkError(error: URLError(.badServerResponse, userInfo: [NSUnderlyingErrorKey: error]))
        case .responseTooLarge: self = .networkError(error: URLError(.dataLengthExceedsMaximum))
        case .emptyReceipt: self = .noReceiptData
        case .malformedRequest where error.status == nil: self = .requestBodyEncodeError(error: error)
        default: return nil
        }
    }
}
