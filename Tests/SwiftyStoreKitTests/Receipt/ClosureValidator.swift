import Foundation
import SwiftyStoreKit

/// An app's own validator.
struct ClosureValidator: ReceiptValidator {
    let body: (Data, @escaping (VerifyReceiptResult) -> Void) -> Void

    init(_ body: @escaping (Data, @escaping (VerifyReceiptResult) -> Void) -> Void) {
        self.body = body
    }

    func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void) {
        body(receiptData, completion)
    }
}
