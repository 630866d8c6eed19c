import AppStoreSimulator
public import Foundation
public import StoreKit

extension Product.PurchaseOption {
    /// What happens to a subscription that was bought at an earlier date.
    public enum SubscriptionRenewalBehavior: Codable, Hashable, Sendable {
        /// The subscription has renewed until now.
        case renewUntilNow
        /// The customer canceled at once: the subscription expires at the end of its first period.
        case cancelImmediately
    }

    /// A promotional offer, without a signature.
    public static func promotionalOffer(id identifier: String) -> Product.PurchaseOption {
        var terms = SimulatedPayment.TestTerms()
        terms.offerID = identifier
        return Product.PurchaseOption(terms)
    }

    /// The offer code with a reference name.
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        var terms = SimulatedPayment.TestTerms()
        terms.offerCode = referenceName
        return Product.PurchaseOption(terms)
    }

    /// An earlier date of the purchase. A later date than now has no effect.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: Product.PurchaseOption.SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Product.PurchaseOption {
        var terms = SimulatedPayment.TestTerms()
        terms.purchaseDate = date
        terms.cancelsImmediately = renewalBehavior == .cancelImmediately
        return Product.PurchaseOption(terms)
    }
}
