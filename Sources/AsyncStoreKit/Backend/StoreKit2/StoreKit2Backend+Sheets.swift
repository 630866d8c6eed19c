package import Foundation

extension StoreKit2Backend {
    /// Presents a sheet. The transaction of a redeemed offer code is recorded like one from Apple's views, so that it's
    /// delivered once, whether or not it's also an update.
    package func present(
        _ sheet: StoreSheet, in anchor: PresentationAnchor?
    ) async throws(StoreError) -> StoreTransaction? {
        guard let signedTransaction = try await environment.present(sheet, in: anchor) else { return nil }
        adopt(signedTransaction)
        if let error = signedTransaction.verificationError { throw error }
        return StoreTransaction(
            signedTransaction, decodedTransactions.info(of: signedTransaction), token: .none, isRestored: false)
    }

    /// Returns the receipt in the app's bundle, which the App Store maintains for StoreKit 2, too.
    package func receiptData() throws(StoreError) -> Data { try environment.receipt.data() }

    package func refreshReceipt() async throws(StoreError) { try await environment.receipt.refresh() }
}
