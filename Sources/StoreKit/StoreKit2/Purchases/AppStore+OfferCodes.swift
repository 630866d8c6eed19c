package import AppStoreSimulator

/// An option of the sheet for offer codes. StoreKit has no options yet.
public struct RedeemOption: Hashable, Sendable {
    private init() {}
}

extension AppStore {
    /// Presents the sheet for offer codes in one launch. Returns the transaction of the redeemed code, or `nil` if the
    /// sheet doesn't return the transaction, see `SimulatorBehavior.offerCodeSheetReturnsTransaction`.
    ///
    /// Apple's functions have a view controller or a window in place of the launch.
    ///
    /// - Throws: ``StoreKitError``
    package static func presentOfferCodeRedeemSheet(
        in launch: SimulatedLaunch, options: Set<RedeemOption> = []
    ) async throws -> VerificationResult<Transaction>? {
        let pending = PendingAnswer<SimulatedAnswer>()
        launch.redeemOfferCode { pending.answer($0) }
        let answer = await pending.value
        if case .purchased(let transaction) = answer { return Transaction.result(transaction, launch) }
        try answer.completion()
        return nil
    }
}
