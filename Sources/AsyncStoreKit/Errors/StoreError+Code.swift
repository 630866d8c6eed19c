extension StoreError {
    /// What went wrong.
    ///
    /// The set is open: later versions may add codes, so a `switch` needs a `default`.
    public struct Code: Sendable, Hashable {
        private enum Value: String, Sendable {
            case cancelled, timedOut, network, storeClosed, backendUnavailable
            case invalidQuantity, invalidProductIDs, productNotFound, conflictingAccount
            case invalidURL
            case restoreInProgress, transactionRemoved
            case transactionNotFinishable, transactionUnknown, transactionFinished
            case deliveryFailed, deliveryRejected, deliveryPending
            case downloadFailed, downloadCancelled, promotionAlreadyContinued
            case receiptUnavailable, receiptIncomplete, receiptInvalid, deviceUnidentified
            case unknown, clientInvalid, paymentCancelled, paymentInvalid, paymentNotAllowed, productNotAvailable
            case cloudServicePermissionDenied, cloudServiceNetworkConnectionFailed, cloudServiceRevoked
            case privacyAcknowledgementRequired, unauthorizedRequestData
            case invalidOfferIdentifier, invalidSignature, missingOfferParameters, invalidOfferPrice
            case overlayCancelled, overlayInvalidConfiguration, overlayTimeout
            case ineligibleForOffer, unsupportedPlatform, overlayPresentedInBackgroundScene
        }

        private let value: Value

        private init(_ value: Value) {
            self.value = value
        }

        /// The task that waited was cancelled. A payment that is with StoreKit already goes on.
        public static let cancelled = Code(.cancelled)
        /// Nothing answered within the time allowed. A payment that is with StoreKit already goes on.
        public static let timedOut = Code(.timedOut)
        /// The network failed; see ``StoreError/underlying``.
        public static let network = Code(.network)
        /// The last reference to the store was dropped.
        public static let storeClosed = Code(.storeClosed)
        /// The backend can no longer be reached.
        public static let backendUnavailable = Code(.backendUnavailable)

        /// The quantity is not within 1 to 10.
        public static let invalidQuantity = Code(.invalidQuantity)
        /// No product identifier was given, or a list of them cannot be used.
        public static let invalidProductIDs = Code(.invalidProductIDs)
        /// The App Store does not know the product identifier.
        public static let productNotFound = Code(.productNotFound)
        /// An account token and a user name were given, and they differ.
        public static let conflictingAccount = Code(.conflictingAccount)
        /// Purchases may not be sent to the URL.
        public static let invalidURL = Code(.invalidURL)

        /// Another restore is running.
        public static let restoreInProgress = Code(.restoreInProgress)
        /// The transaction left the queue without an outcome, because somebody else finished it.
        public static let transactionRemoved = Code(.transactionRemoved)
        /// The transaction is still being purchased, or waits for approval, and so cannot be finished.
        public static let transactionNotFinishable = Code(.transactionNotFinishable)
        /// The transaction is not one of this store's.
        public static let transactionUnknown = Code(.transactionUnknown)
        /// The transaction was finished before.
        public static let transactionFinished = Code(.transactionFinished)

        /// The delivery closure threw; the transaction is unfinished, and offered by ``PurchaseStore/transactions``.
        public static let deliveryFailed = Code(.deliveryFailed)
        /// The installed delivery refused the purchase for good; the transaction is finished.
        public static let deliveryRejected = Code(.deliveryRejected)
        /// The installed delivery could not deliver yet; the transaction is unfinished, and will be tried again.
        public static let deliveryPending = Code(.deliveryPending)

        /// Hosted content could not be downloaded; ``StoreError/underlying`` says why.
        public static let downloadFailed = Code(.downloadFailed)
        /// The download of hosted content was withdrawn.
        public static let downloadCancelled = Code(.downloadCancelled)
        /// The purchase that was begun in the App Store goes on already.
        public static let promotionAlreadyContinued = Code(.promotionAlreadyContinued)

        /// There is no receipt on the device.
        public static let receiptUnavailable = Code(.receiptUnavailable)
        /// The receipt does not hold the transaction that it should.
        public static let receiptIncomplete = Code(.receiptIncomplete)
        /// The receipt could not be verified, or read; see ``StoreError/underlying``.
        public static let receiptInvalid = Code(.receiptInvalid)
        /// The device does not tell the identifier to which its receipts are tied, yet.
        public static let deviceUnidentified = Code(.deviceUnidentified)

        /// `SKError.Code.unknown`, and every code that StoreKit may add; see ``StoreError/underlying``.
        public static let unknown = Code(.unknown)
        /// `SKError.Code.clientInvalid`
        public static let clientInvalid = Code(.clientInvalid)
        /// `SKError.Code.paymentCancelled`: the customer closed the sheet.
        public static let paymentCancelled = Code(.paymentCancelled)
        /// `SKError.Code.paymentInvalid`
        public static let paymentInvalid = Code(.paymentInvalid)
        /// `SKError.Code.paymentNotAllowed`: the device, or the person, may not buy.
        public static let paymentNotAllowed = Code(.paymentNotAllowed)
        /// `SKError.Code.storeProductNotAvailable`: not sold in this storefront.
        public static let productNotAvailable = Code(.productNotAvailable)
        /// `SKError.Code.cloudServicePermissionDenied`
        public static let cloudServicePermissionDenied = Code(.cloudServicePermissionDenied)
        /// `SKError.Code.cloudServiceNetworkConnectionFailed`
        public static let cloudServiceNetworkConnectionFailed = Code(.cloudServiceNetworkConnectionFailed)
        /// `SKError.Code.cloudServiceRevoked`
        public static let cloudServiceRevoked = Code(.cloudServiceRevoked)
        /// `SKError.Code.privacyAcknowledgementRequired`
        public static let privacyAcknowledgementRequired = Code(.privacyAcknowledgementRequired)
        /// `SKError.Code.unauthorizedRequestData`
        public static let unauthorizedRequestData = Code(.unauthorizedRequestData)
        /// `SKError.Code.invalidOfferIdentifier`
        public static let invalidOfferIdentifier = Code(.invalidOfferIdentifier)
        /// `SKError.Code.invalidSignature`
        public static let invalidSignature = Code(.invalidSignature)
        /// `SKError.Code.missingOfferParams`
        public static let missingOfferParameters = Code(.missingOfferParameters)
        /// `SKError.Code.invalidOfferPrice`
        public static let invalidOfferPrice = Code(.invalidOfferPrice)
        /// `SKError.Code.overlayCancelled`
        public static let overlayCancelled = Code(.overlayCancelled)
        /// `SKError.Code.overlayInvalidConfiguration`
        public static let overlayInvalidConfiguration = Code(.overlayInvalidConfiguration)
        /// `SKError.Code.overlayTimeout`
        public static let overlayTimeout = Code(.overlayTimeout)
        /// `SKError.Code.ineligibleForOffer`
        public static let ineligibleForOffer = Code(.ineligibleForOffer)
        /// `SKError.Code.unsupportedPlatform`
        public static let unsupportedPlatform = Code(.unsupportedPlatform)
        /// `SKError.Code.overlayPresentedInBackgroundScene`
        public static let overlayPresentedInBackgroundScene = Code(.overlayPresentedInBackgroundScene)
    }
}

extension StoreError.Code: CustomStringConvertible {
    /// The name of the code.
    public var description: String { value.rawValue }
}
