package import StoreKit

extension StoreKit2Backend {
    /// Takes a transaction that one of Apple's views has handed to the app, as if StoreKit had told of it.
    ///
    /// The view may have finished it, so that nothing else tells of it. One that has been told of before is a duplicate like any other.
    package func adopt(_ result: VerificationResult<StoreKit.Transaction>) {
        take(.transaction(result))
    }
}
