import AppReceipt

extension StoreEntitlement {
    /// The offer that a period of a subscription runs on.
    public struct Offer: Sendable, Hashable {
        /// To whom the offer was made.
        public let kind: StoreOffer.Kind
        /// The identifier in App Store Connect; `nil` for an introductory offer. Over StoreKit 1, an offer code has its
        /// reference name.
        public let id: String?
        /// How the offer is paid. `nil` over StoreKit 1, except for free trials.
        public let paymentMode: StoreOffer.PaymentMode?

        /// Whether the period is free.
        public var isTrial: Bool { paymentMode == .freeTrial }

        /// Describes an offer; for previews and tests.
        public init(kind: StoreOffer.Kind, id: String? = nil, paymentMode: StoreOffer.PaymentMode? = nil) {
            self.kind = kind
            self.id = id
            self.paymentMode = paymentMode
        }
    }

    /// The offer that the period of ``transaction`` runs on; `nil` at the regular price.
    public var offer: Offer? { transaction.appliedOffer.map(Offer.init) }

    /// Whether the customer has access through a free trial.
    ///
    /// The trial ends at ``expirationDate``. ``Renewal/willRenew`` says whether the customer pays then.
    public var isTrial: Bool { isEntitled && offer?.isTrial == true }
}

extension StoreEntitlement.Offer {
    init(_ offer: SignedTransactionOffer) {
        self.init(
            kind: StoreOffer.Kind(offer.kind), id: offer.identifier,
            paymentMode: offer.payment.map(StoreOffer.PaymentMode.init))
    }
}

extension StoreOffer.Kind {
    fileprivate init(_ kind: SignedTransactionOffer.Kind) {
        switch kind {
        case .introductory: self = .introductory
        case .promotional: self = .promotional
        case .offerCode: self = .offerCode
        case .winBack: self = .winBack
        case .retention: self = .retention
        default: self.init(description: "\(kind.rawValue)")
        }
    }
}

extension StoreOffer.PaymentMode {
    fileprivate init(_ payment: SignedTransactionOffer.Payment) {
        switch payment {
        case .freeTrial: self = .freeTrial
        case .payAsYouGo: self = .payAsYouGo
        case .payUpFront: self = .payUpFront
        case .oneTime: self = .oneTime
        default: self.init(description: payment.rawValue)
        }
    }
}
