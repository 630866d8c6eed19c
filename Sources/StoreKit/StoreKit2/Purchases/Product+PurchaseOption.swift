import AppStoreSimulator
public import Foundation

extension Product {
    /// Something that is said about a purchase before it is made.
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
        }

        enum Custom: Hashable, Sendable {
            case string(String)
            case number(Double)
            case flag(Bool)
            case data(Data)
        }

        /// A closure, which is the same as itself only.
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

        /// The app's token for its user, which the transaction has, too.
        public static func appAccountToken(_ token: UUID) -> Product.PurchaseOption {
            PurchaseOption(content: .appAccountToken(token))
        }

        /// The quantity, from 1 to 10.
        public static func quantity(_ quantity: Int) -> Product.PurchaseOption {
            PurchaseOption(content: .quantity(quantity))
        }

        /// Whether the purchase waits for an approval in the sandbox.
        public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Product.PurchaseOption {
            PurchaseOption(content: .simulatesAskToBuy(simulateAskToBuy))
        }

        /// Decides whether the purchase goes on when the account moves to another country's App Store meanwhile.
        @preconcurrency public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> Product.PurchaseOption {
            PurchaseOption(content: .storefrontPolicy(StorefrontPolicy(shouldContinuePurchase)))
        }

        /// A promotional offer by the signature of the app's server: to be passed together.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Product.PurchaseOption] {
            [
                PurchaseOption(content: .promotionalOfferID(offerID)),
                PurchaseOption(content: .promotionalOfferSignature(compactJWS)),
            ]
        }

        /// A promotional offer by the older signature of the app's server.
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

        /// A promotional offer by the older signature of the app's server.
        @available(iOS, deprecated: 26.0)
        public static func promotionalOffer(
            offerID: String, signature: Product.SubscriptionOffer.Signature
        ) -> Product.PurchaseOption {
            promotionalOffer(
                offerID: offerID, keyID: signature.keyID, nonce: signature.nonce, signature: signature.signature,
                timestamp: signature.timestamp)
        }

        /// An offer for former subscribers.
        public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Product.PurchaseOption {
            PurchaseOption(content: .winBackOffer(offer.id ?? ""))
        }

        /// Whether the customer may use the introductory offer, as the app's server has signed it. What cannot be read goes through at
        /// the full price.
        public static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption {
            PurchaseOption(content: .introductoryOfferEligibility(compactJWS))
        }

        /// How the subscription is billed. Without this option, it's billed up front.
        public static func billingPlanType(_ type: Product.SubscriptionInfo.BillingPlanType) -> Product.PurchaseOption {
            PurchaseOption(content: .billingPlan(type))
        }

        /// The number of seats that the subscription has after the purchase.
        public static func seats(_ targetSeatQuantity: Int) -> Product.PurchaseOption {
            PurchaseOption(content: .seats(targetSeatQuantity))
        }

        /// Something that the App Store knows, and this package does not.
        public static func custom(key: String, value: String) -> Product.PurchaseOption {
            PurchaseOption(content: .custom(key: key, .string(value)))
        }

        /// Something that the App Store knows, and this package does not.
        public static func custom(key: String, value: Double) -> Product.PurchaseOption {
            PurchaseOption(content: .custom(key: key, .number(value)))
        }

        /// Something that the App Store knows, and this package does not.
        public static func custom(key: String, value: Bool) -> Product.PurchaseOption {
            PurchaseOption(content: .custom(key: key, .flag(value)))
        }

        /// Something that the App Store knows, and this package does not.
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
    /// The payment for a product with these options.
    ///
    /// - Throws: ``Product/PurchaseError/missingOfferParameters`` for half a promotional offer.
    init(_ productID: String, _ options: Set<Product.PurchaseOption>) throws(Product.PurchaseError) {
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
