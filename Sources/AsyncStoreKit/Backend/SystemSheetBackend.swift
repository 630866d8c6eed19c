/// The part of a backend that presents the system's sheets and receives the App Store's messages.
package protocol SystemSheetBackend: Sendable {
    /// Presents a sheet. Returns when the customer has closed the sheet, or at once if the system doesn't report that.
    /// - Returns: The transaction of an offer code that the customer has redeemed, if the system returns it. The
    ///   backend also reports the transaction as an event.
    /// - Throws: ``StoreError/Code/unsupported`` if the system or the engine has no such sheet.
    func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError) -> StoreTransaction?
    /// Starts to report the App Store's messages as events; the system no longer presents them by itself.
    ///
    /// Calling it again has no effect. An engine without messages does nothing.
    func startObservingMessages()
}

extension StoreError {
    /// The error for a sheet that the system or the engine doesn't have.
    package static func unsupported(_ sheet: StoreSheet) -> StoreError {
        StoreError(.unsupported, "This system or engine has no sheet for \(sheet.purpose).")
    }

    /// Returns the error of a sheet whose anchor is missing, deallocated or of another kind.
    static func noPlace(_ anchor: PresentationAnchor?, needs place: String) -> StoreError {
        let found =
            switch anchor?.isGone {
            case nil: "there is none"
            case true?: "its object was deallocated"
            case false?: "it is of another kind, or not on the screen"
            }
        return StoreError(.unsupported, "A sheet needs an anchor that is \(place), and \(found).")
    }
}
