public import Foundation

extension SimulatedAppStore {
    /// Answers a request as Apple's `verifyReceipt` does, from the history of the account: with the receipt that was sent, and for
    /// subscriptions with the latest transactions and the renewal information, grace periods included.
    ///
    /// It accepts the receipts of this simulator, of whatever launch, and no others. They are those of the sandbox: the production
    /// service answers with status 21007. The request is answered at once, whatever the pacing.
    ///
    /// - Parameters:
    ///   - requestBody: The body of the request, JSON.
    ///   - isProduction: Whether the request was sent to the production service; else to the sandbox.
    /// - Returns: The body of the response, JSON.
    /// - Throws: ``SimulatedError/notConnectedToInternet`` when ``SimulatorBehavior/isOffline`` is set.
    public func verifyReceipt(_ requestBody: Data, isProduction: Bool = false) throws(SimulatedError) -> Data {
        let (behavior, now, content, renewals) = withEngine { engine in
            (engine.behavior, engine.now, engine.currentReceiptContent, engine.renewals)
        }
        if behavior.isOffline { throw .notConnectedToInternet }
        if let status = behavior.verifyReceiptStatus { return VerifyReceiptService.response(status: status) }
        let service = VerifyReceiptService(
            isProduction: isProduction, sharedSecret: behavior.sharedSecret, signsReceipts: behavior.signsReceipts, now: now,
            history: content.transactions, renewals: renewals, latestReceipt: { receiptData(for: content, signed: behavior.signsReceipts) })
        return service.response(to: requestBody)
    }
}
