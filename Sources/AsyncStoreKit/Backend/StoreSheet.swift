/// A sheet that the system shows for the app.
public enum StoreSheet: Sendable, Hashable {
    /// For redeeming an offer code. The purchase arrives on ``PurchaseStore/transactions``.
    ///
    /// Available on iOS and visionOS, and over StoreKit 2 also on macOS 15, from a view controller. On Mac Catalyst
    /// before version 27, presenting the sheet throws ``StoreError/Code/unsupported``: Apple's functions show nothing
    /// there.
    case codeRedemption
    /// For agreeing to a higher price that ``StorePolicies/shouldShowPriceConsent`` has held, if there is one. StoreKit 1 only; over
    /// StoreKit 2 it is a ``message(_:)``.
    case priceConsent
    /// For changing or cancelling subscriptions: those of a group, or all. StoreKit 2, on iOS, Mac Catalyst and visionOS. A group needs
    /// iOS 17; before, all are shown.
    case subscriptionManagement(groupID: String? = nil)
    /// For requesting a refund. StoreKit 2, on iOS, Mac Catalyst, visionOS and macOS. A refund that is granted arrives
    /// on ``PurchaseStore/revocations``.
    ///
    /// Presenting the sheet throws ``StoreError/Code/userCancelled``, ``StoreError/Code/duplicateRefundRequest`` or
    /// ``StoreError/Code/refundRequestFailed`` when no request was sent.
    case refundRequest(StoreTransaction)
    /// One of the App Store's messages, see ``PurchaseStore/messages``. StoreKit 2, on iOS, Mac Catalyst and visionOS.
    case message(StoreMessage)
}

/// What the App Store wants to say to the customer, and the app may show when it suits, with ``StoreSheet/message(_:)``.
public struct StoreMessage: Sendable, Hashable, Identifiable {
    /// What a message is about. The set is open, as Apple adds to it.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The name of the reason.
        public let description: String

        /// Anything else.
        public static let generic = Reason(description: "generic")
        /// A higher price needs the customer's consent.
        public static let priceIncreaseConsent = Reason(description: "priceIncreaseConsent")
        /// The price of a renewal could not be collected.
        public static let billingIssue = Reason(description: "billingIssue")
        /// There is an offer to come back.
        public static let winBackOffer = Reason(description: "winBackOffer")

        package init(description: String) {
            self.description = description
        }
    }

    /// Tells it from every other of the process.
    public struct ID: Sendable, Hashable {
        private let call = CallID()

        package init() {}
    }

    /// Tells it from every other.
    public let id: ID
    /// What it is about.
    public let reason: Reason

    package init(id: ID = ID(), reason: Reason) {
        self.id = id
        self.reason = reason
    }
}

extension StoreSheet {
    /// The purpose of the sheet, in words.
    var purpose: String {
        switch self {
        case .codeRedemption: "offer codes"
        case .priceConsent: "the consent to a new price"
        case .subscriptionManagement: "the management of subscriptions"
        case .refundRequest: "refund requests"
        case .message: "the App Store's messages"
        }
    }
}
