import Foundation

/// A validator's part in a request: it is asked once, and the first thing it says counts.
// @unchecked because: the validator is only called, once, by whoever runs this.
struct ReceiptValidation: @unchecked Sendable {
    let validator: any ReceiptValidator
    let request: ReceiptRequest<VerifyReceiptResult>

    func run(_ receiptData: Data) {
        guard !request.hasEnded else { return }
        if let apple = validator as? AppleReceiptValidator {
            // A task that can be cancelled together with the request.
            request.run(apple.validation(of: receiptData) { request.finish($0) })
        } else {
            validator.validate(receiptData: receiptData) { request.finish($0) }
        }
    }
}
