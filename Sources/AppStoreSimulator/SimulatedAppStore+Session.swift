// What a session of StoreKit Test controls.
extension SimulatedAppStore {
    /// Prepares the App Store for a session: its behavior and catalog become those of a catalog, and its clock follows
    /// the device's clock from now on. Scheduled events, such as renewals, occur at their times.
    ///
    /// Advancing the clock still works, and moves the App Store into the future.
    package func beginSession(_ catalog: SimulatedCatalog) {
        mutate { engine in
            engine.resetToDefaultState(catalog)
            engine.realTimeOffset = engine.realTimeOffset ?? 0
            engine.followRealTime()
        }
    }

    /// Resets the behavior and the catalog to those of a catalog. Purchases stay.
    package func resetToDefaultState(_ catalog: SimulatedCatalog) {
        mutate { $0.resetToDefaultState(catalog) }
    }

    /// Purchases outside the app, with the outcome that a purchase in the app would have.
    ///
    /// - Throws: The error of the purchase.
    package func purchaseInSession(_ payment: SimulatedPayment) throws(SimulatedError) -> SimulatedSignedTransaction {
        try mutate { engine throws(SimulatedError) in try engine.purchaseInSession(payment) }
    }

    /// Deletes a transaction, as if it had never been made.
    ///
    /// - Throws: ``SimulatorError/Code/unknownTransaction``
    package func deleteTransaction(id: SimulatedTransaction.ID) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.delete(id) }
    }

    /// Asks the subscriber to consent to a higher price, without a change of the price.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    package func requestPriceConsent(of productID: String) throws(SimulatorError) {
        try control { engine throws(SimulatorError) in try engine.requestPriceConsent(of: productID) }
    }
}
