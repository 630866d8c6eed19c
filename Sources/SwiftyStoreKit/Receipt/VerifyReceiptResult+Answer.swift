import AppReceipt
import AppStoreServer
import Foundation
import StoreKit

extension VerifyReceiptResult {
    /// Creates the block API's result from a response of `verifyReceipt`.
    ///
    /// - Parameters:
    ///   - body: The last response, with any HTTP status.
    ///   - error: The parser's error. The parser is stricter than necessary for apps that read the response themselves,
    ///     so a response with a valid status is returned despite an error.
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
        // 21006 with a receipt means that the receipt is valid and its subscription has expired.
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
    /// Creates the error for a request without a response; `nil` if the server responded.
    fileprivate init?(withoutAnswer error: VerifyReceiptError) {
        switch error.code {
        case .cancelled: self = .networkError(error: SKError(.paymentCancelled))
        case .network: self = .networkError(error: error.underlying ?? URLError(.unknown))
        // The redirect leads to a host that must not receive the receipt.
        case .httpStatus where (300...399).contains(error.httpStatus ?? 0):
            self = .networkError(error: URLError(.badServerResponse, userInfo: [NSUnderlyingErrorKey: error]))
        case .responseTooLarge: self = .networkError(error: URLError(.dataLengthExceedsMaximum))
        case .emptyReceipt: self = .noReceiptData
        case .malformedRequest where error.status == nil: self = .requestBodyEncodeError(error: error)
        default: return nil
        }
    }
}
