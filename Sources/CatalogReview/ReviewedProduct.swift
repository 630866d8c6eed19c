import AppStoreSimulator
import Foundation

/// A product of a configuration file, whose values may be missing or wrong.
struct ReviewedProduct {
    let node: ConfigurationNode
    /// The subscription group that contains the product.
    let group: ConfigurationNode?

    /// The identifier; `nil` if it's missing or empty.
    var id: String? { node.text("productID").flatMap { $0.isEmpty ? nil : $0 } }
    /// The identifier in quotation marks, or the key path.
    var name: String { id.map { "\"\($0)\"" } ?? node.keyPath }
    var type: String? { node.text("type") }
    var isFamilyShareable: Bool { node.isOn("familyShareable") }
    var price: Decimal? { (try? node.member("displayPrice")?.price()) ?? nil }
    /// The price of a period that is paid up front.
    var upFrontPrice: Decimal? {
        guard let plan = billingPlans.first(where: { !$0.isMonthlyPlan }) else { return price }
        return (try? plan.member("displayPrice")?.price()) ?? nil
    }
    /// The time after which a subscription renews; `nil` for other products, and for a period that can't be read.
    var period: SimulatedPeriod? {
        (try? node.member("recurringSubscriptionPeriod").map(ConfigurationReader.period)) ?? nil
    }

    /// All offers, including those outside a group.
    var offers: [ConfigurationNode] {
        let single = node.member("introductoryOffer").map { [$0] } ?? []
        return single + Self.offerKeys.flatMap { node.members($0) }
    }

    /// The enabled billing plans.
    var billingPlans: [ConfigurationNode] {
        node.members("billingPlans").filter { $0.member("isEnabled") == nil || $0.isOn("isEnabled") }
    }

    private static let offerKeys = ["introductoryOffers", "adHocOffers", "winbackOffers", "codeOffers"]

    /// All products of a file, in the order of the file.
    static func all(in root: ConfigurationNode) -> [ReviewedProduct] {
        let single = root.members("products") + root.members("nonRenewingSubscriptions")
        let groups = root.members("subscriptionGroups")
        return single.map { ReviewedProduct(node: $0, group: nil) }
            + groups.flatMap { group in
                group.members("subscriptions").map { ReviewedProduct(node: $0, group: group) }
            }
    }
}

// Values that can't be read are missing: the reader of configuration files reports them.
extension ConfigurationNode {
    func member(_ key: String) -> ConfigurationNode? { (try? optional(key)) ?? nil }
    func members(_ key: String) -> [ConfigurationNode] { (try? elements(key)) ?? [] }
    func text(_ key: String) -> String? { (try? member(key)?.string()) ?? nil }
    func isOn(_ key: String) -> Bool { (try? member(key)?.bool()) ?? false }

    /// Returns the key path of a key, even of a missing one.
    func path(of key: String) -> String { keyPath.isEmpty ? key : "\(keyPath).\(key)" }
}
