import AppStoreSimulator
import AsyncStoreKit
import Foundation

/// The products of a StoreKit configuration file, as the simulated App Store sells them.
struct CatalogTable {
    let catalog: SimulatedCatalog
    let name: String

    func print(on console: Console) {
        let country = catalog.storefront.countryCode
        console.line([.init("\(name), storefront \(country), prices in \(currency)", .heading)])
        let columns = ["product", "price", "period", "group", "family", "offers"].map {
            ConsoleTable.Column($0, isTrailing: $0 == "price")
        }
        let table = ConsoleTable(columns: columns, rows: catalog.products.map { row($0) })
        console.lines(table.lines(width: console.columns))
    }

    private var currency: String {
        SimulatedCatalog.priceLocale(localeIdentifier: catalog.localeIdentifier, storefront: catalog.storefront)
            .currencyCode ?? "an unknown currency"
    }

    private func row(_ product: SimulatedProduct) -> [String] {
        let terms = product.subscription
        let kind =
            switch product.kind {
            case .consumable: "consumable"
            case .nonConsumable: "non-consumable"
            case .nonRenewingSubscription: "non-renewing"
            case .autoRenewableSubscription: terms.map { Self.text($0.period) } ?? ""
            }
        return [
            product.productID, "\(product.price)", kind, terms.map { "\($0.groupID), level \($0.groupLevel)" } ?? "",
            product.isFamilyShareable ? "shareable" : "", terms.map { offers(of: $0).joined(separator: ", ") } ?? "",
        ]
    }

    private func offers(of terms: SimulatedSubscription) -> [String] {
        func texts(_ kind: String, _ offers: [SimulatedSubscription.Offer]) -> [String] {
            offers.map { offer in
                let periods = offer.numberOfPeriods == 1 ? "" : "\(offer.numberOfPeriods) × "
                let price = offer.paymentMode == .freeTrial ? "free" : "\(offer.price)"
                return "\(kind)\(offer.id.map { " \($0)" } ?? ""): \(price) for \(periods)\(Self.text(offer.period))"
            }
        }
        let plan = terms.monthlyPlan.map { plan in
            let isSold = terms.monthlyPlan(in: catalog.storefront) != nil
            return "monthly plan: \(plan.price)\(isSold ? "" : " (not in this storefront)")"
        }
        return texts("introductory", terms.introductoryOffer.map { [$0] } ?? [])
            + texts("promotional", terms.promotionalOffers) + texts("win-back", terms.winBackOffers)
            + texts("code", terms.codeOffers) + (plan.map { [$0] } ?? [])
    }

    private static func text(_ period: SimulatedPeriod) -> String {
        period.numberOfUnits == 1 ? "1 \(period.unit)" : "\(period.numberOfUnits) \(period.unit)s"
    }
}
