/// The part of a backend that presents the system's sheets and receives the App Store's messages.
package protocol SystemSheetBackend: Sendable {
    /// Presents a sheet. Returns when the customer has closed the sheet, or at once if the system doesn't report that.
    /// - Returns: The transaction of an offer code that the customer has redeemed, if the system returns it. The
    ///   backend also reports the transaction as an event.
    /// - Throws: ``StoreError/Code/unsupported`` if the system or the engine has no such sheet.
    func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError) -> StoreTransaction?
    /// Starts to report the App Store's messages as events; the system no longer presents them.
    ///
    /// Calling it again has no effect. An engine without messages does nothing.
    func startObservingMessages()
}

extension StoreError {
    /// Returns the error of a purchase without an anchor, with the possible cause in its message.
    ///
    /// StoreKit doesn't present the sheet of such a purchase over a full-screen modal in iOS 18.2 and later, and
    /// doesn't say why.
    package var namingMissingAnchor: StoreError {
        StoreError(
            code,
            message
                + " The purchase has no anchor, so StoreKit may have had no place to present the sheet. Set an anchor for the"
                + " store with setPresentationAnchor(_:), or pass one in the options of the purchase.",
            underlying: underlying)
    }

    /// The error for a sheet that the system or the engine doesn't have.
    package static func unsupported(_ sheet: StoreSheet) -> StoreError {
        StoreError(.unsupported, "This system or engine has no sheet for \(sheet.purpose).")
    }

    /// Returns the error of a sheet whose anchor is missing, deallocated or of another kind.
    static func noPlace(_ anchor: PresentationAnchor?, needs place: String) -> StoreError {
        let found =
            switch anchor?.isGone {
            case nil: "there is none. Pass an anchor, or set one for the store with setPresentationAnchor(_:)"
            case true?: "the object of the anchor was deallocated"
            case false?: "the anchor is of another kind, or not on the screen"
            }
        return StoreError(.invalidPresentationContext, "A sheet needs an anchor that is \(place), and \(found).")
    }
}
