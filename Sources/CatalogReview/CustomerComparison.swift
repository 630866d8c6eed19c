import AppStoreSimulator
import Foundation

/// Plays the named customers of a product in two versions of a catalog.
struct CustomerComparison {
    private let before: Products
    private let after: Products?

    /// A catalog, and the products that a customer of each product meets: those of its group. With all products, each
    /// of them would cost time for all others.
    private struct Products {
        let catalog: SimulatedCatalog
        private let byID: [String: SimulatedProduct]
        private let byGroup: [String: [SimulatedProduct]]

        init(_ catalog: SimulatedCatalog) {
            self.catalog = catalog
            byID = Dictionary(catalog.products.map { ($0.productID, $0) }) { first, _ in first }
            byGroup = Dictionary(grouping: catalog.products) { $0.subscription?.groupID ?? "" }
        }

        subscript(id: String) -> SimulatedProduct? { byID[id] }

        func catalog(for id: String) -> SimulatedCatalog {
            var catalog = catalog
            let product = byID[id]
            catalog.products =
                product?.subscription.map { byGroup[$0.groupID] ?? [] } ?? [product].compactMap(\.self)
            return catalog
        }
    }

    /// - Parameter after: The later version; `nil` if it can't be read.
    init(before: SimulatedCatalog, after: SimulatedCatalog?) {
        self.before = Products(Self.plain(before))
        self.after = after.map { Products(Self.plain($0)) }
    }

    /// Returns a catalog without the settings of the file, which aren't those of customers. Nothing reads signatures
    /// here, and they take time.
    private static func plain(_ catalog: SimulatedCatalog) -> SimulatedCatalog {
        var catalog = catalog
        catalog.behavior = SimulatorBehavior()
        catalog.behavior.signsReceipts = false
        return catalog
    }

    /// What a customer has.
    private struct Situation {
        /// Whether the customer can use the product.
        var hasAccess: Bool
        /// Whether the App Store collects payments for the product.
        var renews: Bool
        /// The length of the current period.
        var length: TimeInterval
        var isTrial: Bool
    }

    private static func situation(_ customer: Customer, of id: String, in products: Products) -> Situation? {
        guard let appStore = try? SimulatedAppStore(customer, of: id, in: products.catalog(for: id)) else { return nil }
        let latest = appStore.allTransactions().last { $0.productID == id && $0.state == .purchased }
        let renewal = appStore.allRenewals().first { $0.productID == id }
        let end = renewal?.gracePeriodExpirationDate ?? latest?.expirationDate ?? .distantFuture
        return Situation(
            hasAccess: latest.map { $0.revocationDate == nil && end > appStore.now } ?? false,
            renews: renewal.map { $0.willAutoRenew || $0.isInBillingRetry } ?? false,
            length: latest.map {
                ($0.expirationDate ?? .distantFuture).timeIntervalSince($0.purchaseDate ?? .distantPast)
            }
                ?? 0,
            isTrial: latest?.isTrialPeriod ?? false)
    }

    /// Returns whether a customer of the earlier product can be in a state.
    func exists(_ customer: Customer, of id: String) -> Bool {
        (try? SimulatedAppStore(customer, of: id, in: before.catalog(for: id))) != nil
    }

    /// Returns the states that customers of the earlier product can be in.
    func customers(of id: String) -> [Customer] {
        Customer.allCases.filter { exists($0, of: id) }
    }

    /// Returns the states in which customers of the earlier product have a subscription.
    func subscribers(of id: String) -> [Customer] {
        Customer.allCases.filter { customer in
            guard let situation = Self.situation(customer, of: id, in: before) else { return false }
            return situation.renews || situation.hasAccess
        }
    }

    /// Returns what customers lose by the removal of a product, as sentences, and all these customers.
    func removal(of id: String) -> (text: String, customers: [Customer]) {
        var (paying, using, others): ([Customer], [Customer], [Customer]) = ([], [], [])
        for customer in Customer.allCases {
            guard let situation = Self.situation(customer, of: id, in: before) else { continue }
            if situation.renews {
                paying.append(customer)
            } else if situation.hasAccess {
                using.append(customer)
            } else {
                others.append(customer)
            }
        }
        let parts = [
            (paying, "keep paying for a product that the app can't show"),
            (using, "keep a product that the app can't show"), (others, "can't buy it"),
        ]
        let text = parts.filter { !$0.0.isEmpty }.map { customers, loss in
            " Customers who \(loss): \(customers.map(\.description).joined(separator: ", "))."
        }
        return (text.joined(), paying + using + others)
    }

    /// Returns the offers and billing plans of a product that are missing, shorter or more expensive.
    func narrowedOffers(of id: String, at keyPath: String) -> [CatalogFinding] {
        guard let after, let old = before[id]?.subscription, let new = after[id]?.subscription
        else { return [] }
        var findings: [CatalogFinding] = []
        func report(_ loss: String, _ customers: [Customer]) {
            let customers = customers.filter { exists($0, of: id) }
            var finding = CatalogFinding(
                .narrowedOffer, at: keyPath,
                "\"\(id)\" \(loss). Update the texts of your paywall and website.\(customers.asSentence)")
            finding.customers = customers
            findings.append(finding)
        }
        // Trials are compared as customers meet them.
        let trial = Self.situation(.trial, of: id, in: before)
        if let trial, trial.isTrial {
            let now = Self.situation(.trial, of: id, in: after)
            if now == nil {
                report("has no free trial any more", [.new, .trial, .trialEndsToday])
            } else if let now, now.length < trial.length {
                report("has a shorter free trial", [.new, .trial, .trialEndsToday])
            }
        } else if let offer = old.introductoryOffer, Self.isWorse(new.introductoryOffer, than: offer) {
            report("has a worse introductory offer or none", [.new])
        }
        let lists: [(String, KeyPath<SimulatedSubscription, [SimulatedSubscription.Offer]>, [Customer])] = [
            ("promotional", \.promotionalOffers, [.active, .canceled, .expired]),
            ("win-back", \.winBackOffers, [.winBack]), ("code", \.codeOffers, [.new, .expired]),
        ]
        for (kind, offers, customers) in lists {
            for offer in old[keyPath: offers] {
                let same = new[keyPath: offers].first { $0.id == offer.id }
                guard Self.isWorse(same, than: offer) else { continue }
                let loss = same == nil ? "has no" : "has a worse"
                report("\(loss) \(kind) offer \"\(offer.id ?? "")\"\(same == nil ? " any more" : "")", customers)
            }
        }
        if old.monthlyPlan != nil, new.monthlyPlan == nil {
            report("has no monthly payments any more", [.new, .commitment(month: 7)])
        }
        return findings
    }

    /// Returns whether an offer is missing, more expensive, or shorter.
    private static func isWorse(
        _ offer: SimulatedSubscription.Offer?, than old: SimulatedSubscription.Offer
    ) -> Bool {
        guard let offer else { return true }
        if offer.paymentMode != old.paymentMode { return old.paymentMode == .freeTrial || offer.price > old.price }
        return offer.price > old.price || length(of: offer) < length(of: old)
    }

    private static func length(of offer: SimulatedSubscription.Offer) -> TimeInterval {
        let (period, start) = (offer.period, Date(timeIntervalSinceReferenceDate: 0))
        let whole = SimulatedPeriod(
            period.numberOfUnits.multipliedReportingOverflow(by: offer.numberOfPeriods).partialValue, period.unit)
        return whole.end(from: start).timeIntervalSince(start)
    }
}
