package import AppStoreSimulator
public import Foundation

extension Product {
    /// An option of a purchase.
    public struct PurchaseOption: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case simulatesAskToBuy(Bool)
            case signedOffer(SimulatedPayment.Discount)
            case promotionalOfferID(String)
            case promotionalOfferSignature(String)
            case winBackOffer(String)
            case introductoryOfferEligibility(String)
            case billingPlan(SubscriptionInfo.BillingPlanType)
            case seats(Int)
            case storefrontPolicy(StorefrontPolicy)
            case custom(key: String, Custom)
            case test(SimulatedPayment.TestTerms)
        }

        enum Custom: Hashable, Sendable {
            case string(String)
            case number(Double)
            case flag(Bool)
            case data(Data)
        }

        /// A closure with reference equality.
        final class StorefrontPolicy: Hashable, Sendable {
            let shouldContinue: @Sendable (Storefront) -> Bool

            init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
                self.shouldContinue = shouldContinue
            }

            static func == (left: StorefrontPolicy, right: StorefrontPolicy) -> Bool { left === right }

            func hash(into hasher: inout Hasher) {
                hasher.combine(ObjectIdentifier(self))
            }
        }

        let content: Content

        private init(content: Content) {
            self.content = content
        }

        /// Creates an option that only a test can use. Its terms are added to those of other options.
        package init(_ terms: SimulatedPayment.TestTerms) {
            content = .test(terms)
        }

        /// The app's token for its user. The transaction contains the token, too.
        public static func appAccountToken(_ token: UUID) -> Product.PurchaseOption {
            PurchaseOption(content: .appAccountToken(token))
        }

        /// The number of items, 1 to 10.
        public static func quantity(_ quantity: Int) -> Product.PurchaseOption {
            PurchaseOption(content: .quantity(quantity))
        }

        /// Whether the sandbox simulates an Ask to Buy request.
        public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Product.PurchaseOption {
            PurchaseOption(content: .simulatesAskToBuy(simulateAskToBuy))
        }

        /// Decides whether the purchase continues when the storefront of the account changes during the purchase.
        @preconcurrency public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> Product.PurchaseOption {
            PurchaseOption(content: .storefrontPolicy(StorefrontPolicy(shouldContinuePurchase)))
        }

        /// A promotional offer with a signature of the app's server. Pass both options to the purchase.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Product.PurchaseOption] {
            [
                PurchaseOption(content: .promotionalOfferID(offerID)),
                PurchaseOption(content: .promotionalOfferSignature(compactJWS)),
            ]
        }

        /// A promotional offer with the older signature format.
        @available(iOS, deprecated: 26.0)
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> Product.PurchaseOption {
            PurchaseOption(
                content: .signedOffer(
                    SimulatedPayment.Discount(
                        offerID: offerID, keyID: keyID, nonce: nonce, signature: signature.base64EncodedString(),
                        timestamp: Int64(timestamp))))
        }

        /// A promotional offer with the older signature format.
        @available(iOS, deprecated: 26.0)
        public static func promotionalOffer(
            offerID: String, signature: Product.SubscriptionOffer.Signature
        ) -> Product.PurchaseOption {
            promotionalOffer(
                offerID: offerID, keyID: signature.keyID, nonce: signature.nonce, signature: signature.signature,
                timestamp: signature.timestamp)
        }

        /// A win-back offer for former subscribers.
        public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Product.PurchaseOption {
            PurchaseOption(content: .winBackOffer(offer.id ?? ""))
        }

        /// The customer's eligibility for the introductory offer, signed by the app's server. With an unreadable text,
        /// the customer pays the full price.
        public static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption {
            PurchaseOption(content: .introductoryOfferEligibility(compactJWS))
        }

        /// The billing plan of the subscription. Without this option, the subscription is billed up front.
        public static func billingPlanType(_ type: Product.SubscriptionInfo.BillingPlanType) -> Product.PurchaseOption {
            PurchaseOption(content: .billingPlan(type))
        }

        /// The total number of seats that the subscription has after the purchase.
        public static func seats(_ targetSeatQuantity: Int) -> Product.PurchaseOption {
            PurchaseOption(content: .seats(targetSeatQuantity))
        }

        /// An option that this package doesn't know.
        public static func custom(key: String, value: String) -> Product.PurchaseOption {
            PurchaseOption(content: .custom(key: key, .string(value)))
        }

        /// An option that this package doesn't know.
        public static func custom(key: String, value: Double) -> Product.PurchaseOption {
            PurchaseOption(content: .custom(key: key, .number(value)))
        }

        /// An option that this package doesn't know.
        public static func custom(key: String, value: Bool) -> Product.PurchaseOption {
            PurchaseOption(content: .custom(key: key, .flag(value)))
        }

        /// An option that this package doesn't know.
        public static func custom(key: String, value: Data) -> Product.PurchaseOption {
            PurchaseOption(content: .custom(key: key, .data(value)))
        }
    }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
    /// The option and its value.
    public var debugDescription: String { "\(content)" }
}

extension SimulatedPayment {
    /// Creates the payment for a product with these options.
    ///
    /// - Throws: ``Product/PurchaseError/missingOfferParameters`` if one of the two options of a promotional offer is
    ///   missing.
    package init(_ productID: String, _ options: Set<Product.PurchaseOption>) throws(Product.PurchaseError) {
        self.init(productID: productID)
        var offerID: String?
        var signature: String?
        for option in options {
            switch option.content {
            case .appAccountToken(let token): appAccountToken = token
            case .quantity(let quantity): self.quantity = quantity
            case .simulatesAskToBuy(let simulates): simulatesAskToBuyInSandbox = simulates
            case .signedOffer(let discount): self.discount = discount
            case .promotionalOfferID(let id): offerID = id
            case .promotionalOfferSignature(let jws): signature = jws
            case .winBackOffer(let id): winBackOfferID = id
            case .introductoryOfferEligibility(let jws): introductoryOfferEligibility = jws
            case .billingPlan(let plan): billingPlan = SimulatedBillingPlan(rawValue: plan.rawValue)
            case .seats(let seats): self.seats = seats
            case .test(let terms): testTerms.add(terms)
            case .storefrontPolicy, .custom: break
            }
        }
        switch (offerID, signature) {
        case (let id?, let jws?): promotionalOffer = PromotionalOffer(offerID: id, compactJWS: jws)
        case (nil, nil): break
        default: throw .missingOfferParameters
        }
    }
}

extension SimulatedPayment.TestTerms {
    /// Adds the terms of another option.
    fileprivate mutating func add(_ terms: SimulatedPayment.TestTerms) {
        offerID = terms.offerID ?? offerID
        offerCode = terms.offerCode ?? offerCode
        purchaseDate = terms.purchaseDate ?? purchaseDate
        cancelsImmediately = cancelsImmediately || terms.cancelsImmediately
    }
}
