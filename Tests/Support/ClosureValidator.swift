package import Foundation
package import SwiftyStoreKit

/// A validator of an app.
package struct ClosureValidator: ReceiptValidator {
    private let body: (Data, @escaping (VerifyReceiptResult) -> Void) -> Void

    package init(_ body: @escaping (Data, @escaping (VerifyReceiptResult) -> Void) -> Void) {
        self.body = body
    }

    package func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void) {
        body(receiptData, completion)
    }
}
