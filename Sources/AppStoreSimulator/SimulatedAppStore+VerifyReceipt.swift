public import Foundation

extension SimulatedAppStore {
    /// Responds to a request as Apple's `verifyReceipt` does. The response contains the sent receipt, and for
    /// subscriptions the latest transactions and the renewal information with grace periods, from the history of the
    /// account.
    ///
    /// The service accepts only receipts of this simulator, from any launch. The receipts are sandbox receipts, so the
    /// production service responds with status 21007. The function responds immediately with any pacing.
    ///
    /// - Parameters:
    ///   - requestBody: The body of the request, JSON.
    ///   - isProduction: Whether the request was sent to the production service instead of the sandbox.
    /// - Returns: The body of the response, JSON.
    /// - Throws: ``SimulatedError/notConnectedToInternet`` if ``SimulatorBehavior/isOffline`` is set.
    public func verifyReceipt(_ requestBody: Data, isProduction: Bool = false) throws(SimulatedError) -> Data {
        let (behavior, now, content, renewals) = withEngine { engine in
            (engine.behavior, engine.now, engine.currentReceiptContent, engine.renewals)
        }
        if behavior.isOffline { throw .notConnectedToInternet }
        if let status = behavior.verifyReceiptStatus { return VerifyReceiptService.response(status: status) }
        let service = VerifyReceiptService(
            isProduction: isProduction, sharedSecret: behavior.sharedSecret, signsReceipts: behavior.signsReceipts,
            now: now,
            history: content.transactions, renewals: renewals,
            latestReceipt: { receiptData(for: content, signed: behavior.signsReceipts) })
        return service.response(to: requestBody)
    }
}
