package import AppStoreSimulator

extension Transaction {
    /// For whom an offer is.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// For new subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// For present and former subscribers, by a signature of the app's server.
        public static let promotional = OfferType(rawValue: 2)
        /// By a code.
        public static let code = OfferType(rawValue: 3)
        /// For former subscribers.
        public static var winBack: OfferType { OfferType(rawValue: 4) }

        /// The type of the raw value.
        public typealias RawValue = Int

        /// The raw value.
        public let rawValue: Int

        /// Makes a value, which may be one that has no name here.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// The offer at whose price a transaction was paid.
    public struct Offer: Hashable, Sendable {
        /// How an offer is paid.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// Nothing is paid.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// The offer's price is paid each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// The offer's price is paid once, for a time.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// The offer's price is paid once, for good.
            public static var oneTime: PaymentMode { PaymentMode(rawValue: "ONE_TIME") }

            /// The type of the raw value.
            public typealias RawValue = String

            /// The raw value.
            public let rawValue: String

            /// Makes a value, which may be one that has no name here.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        /// The identifier of the offer; `nil` for an introductory one.
        public let id: String?
        /// For whom the offer is.
        public let type: Transaction.OfferType
        /// How the offer is paid.
        public let paymentMode: Transaction.Offer.PaymentMode?
        /// The length of one period of the offer.
        public let period: Product.SubscriptionPeriod?

        init(_ offer: SimulatedTransactionOffer) {
            id = offer.terms.id
            type = Transaction.OfferType(rawValue: offer.kind.rawValue)
            paymentMode = PaymentMode(rawValue: offer.terms.paymentMode.word)
            period = Product.SubscriptionPeriod(offer.terms.period)
        }
    }
}

extension Transaction {
    /// Shows the sheet for offer codes in one launch. Returns the transaction of the code that the customer has
    /// redeemed; `nil` where the sheet doesn't return it, see `SimulatorBehavior.offerCodeSheetReturnsTransaction`.
    ///
    /// - Throws: ``StoreKitError``
    package static func redeemOfferCode(in launch: SimulatedLaunch) async throws -> VerificationResult<Transaction>? {
        let pending = PendingAnswer<SimulatedAnswer>()
        launch.redeemOfferCode { pending.answer($0) }
        let answer = await pending.value
        if case .purchased(let transaction) = answer { return result(transaction, launch) }
        try answer.completion()
        return nil
    }
}
