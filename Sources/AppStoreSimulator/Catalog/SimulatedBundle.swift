public import Foundation

/// Subscriptions that are sold together.
public struct SimulatedBundle: Sendable, Hashable {
    /// The product identifiers of the subscriptions.
    public var productIDs: [String]
    /// Whether the subscriptions are sold only in this product, as in a suite. The subscriptions of a bundle are also
    /// sold separately.
    public var isSuite: Bool

    /// Creates a bundle or a suite of subscriptions.
    public init(productIDs: [String], isSuite: Bool = false) {
        self.productIDs = productIDs
        self.isSuite = isSuite
    }
}

extension SimulatedProduct {
    /// Returns a bundle: subscriptions for one price, which are also sold separately.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - members: The product identifiers of the subscriptions.
    ///   - price: The price in the currency of the catalog's locale, rounded to thousandths.
    ///   - period: The time after which the bundle renews.
    ///   - group: The subscription group of the bundle.
    ///   - name: The name that customers see. The default is the identifier.
    public static func bundle(
        _ productID: String, of members: [String], price: Decimal, period: SimulatedPeriod, group: String,
        name: String? = nil
    ) -> SimulatedProduct {
        var product = autoRenewable(productID, price: price, period: period, group: group, name: name)
        product.bundle = SimulatedBundle(productIDs: members)
        return product
    }

    /// Returns a suite: subscriptions for one price, which are sold only together.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - members: The product identifiers of the subscriptions.
    ///   - price: The price in the currency of the catalog's locale, rounded to thousandths.
    ///   - period: The time after which the suite renews.
    ///   - group: The subscription group of the suite.
    ///   - name: The name that customers see. The default is the identifier.
    public static func suite(
        _ productID: String, of members: [String], price: Decimal, period: SimulatedPeriod, group: String,
        name: String? = nil
    ) -> SimulatedProduct {
        var product = autoRenewable(productID, price: price, period: period, group: group, name: name)
        product.bundle = SimulatedBundle(productIDs: members, isSuite: true)
        return product
    }
}

/// The purchase of a bundle that includes a subscription of the account.
public struct SimulatedBundleMembership: Sendable, Hashable {
    /// The product identifier of the bundle.
    public var productID: String
    /// The subscription group of the bundle.
    public var groupID: String
    /// The transaction of the bundle that pays for the period; `nil` in renewal information.
    public var transactionID: String?
    /// The first transaction of the bundle.
    public var originalTransactionID: String
}
