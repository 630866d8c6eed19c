import AppStoreSimulator
import AsyncStoreKit

extension DemoAct {
    // More than a screen or two of products tells nobody anything.
    private static let mostRows = 50

    static let products = DemoAct(title: "What is for sale") { stage in
        let unknown = "no.such.product"
        let ids = Set(stage.catalog.products.map(\.productID))
        stage.say(.app, "store.products(for: \(ids.count) identifiers, and \"\(unknown)\")")
        let response = try await stage.store.products(for: ids.union([unknown]))
        stage.say(.appStore, "storefront \(stage.store.storefront?.countryCode ?? "unknown"), \(response.products.count) products")
        let rows = stage.catalog.products.compactMap { product in
            response[product.productID].map { row($0, product.kind) }
        }
        let table = ConsoleTable(
            columns: [
                .init("Identifier"), .init("Name"), .init("Kind"), .init("Price", isTrailing: true), .init("Period"), .init("Notes"),
            ], rows: Array(rows.prefix(mostRows)))
        for (index, line) in table.lines.enumerated() {
            stage.console.line(.init("   " + line, index == 0 ? .quiet : .plain))
        }
        if rows.count > mostRows { stage.console.line(.init("   … and \(rows.count - mostRows) more", .quiet)) }
        for id in response.invalidProductIDs.sorted() { stage.say(.appStore, "nothing is for sale under \"\(id)\"") }
    }

    private static func row(_ product: StoreProduct, _ kind: SimulatedProduct.Kind) -> [String] {
        var notes: [String] = []
        if let offer = product.introductoryOffer { notes.append("at first \(terms(of: offer, in: product))") }
        if !product.hostedContentLengths.isEmpty { notes.append("\(ByteCount(product.hostedContentLengths)) hosted") }
        let words = kind == .nonRenewingSubscription ? "non-renewing" : kind.words
        return [
            product.id, product.displayName, words, product.displayPrice, product.displaySubscriptionPeriod ?? "",
            notes.joined(separator: ", "),
        ]
    }

    private static func terms(of offer: StoreOffer, in product: StoreProduct) -> String {
        let (total, overflow) = offer.period.value.multipliedReportingOverflow(by: offer.periodCount)
        let all = StoreSubscriptionPeriod(value: overflow ? offer.period.value : total, unit: offer.period.unit)
        let length = all.formatted(in: product.priceLocale)
        return switch offer.paymentMode {
        case .freeTrial: "\(length) free"
        case .payUpFront: "\(length) for \(offer.displayPrice) in all"
        case .payAsYouGo where offer.periodCount == 1: "\(length) for \(offer.displayPrice)"
        default: "\(length) for \(offer.displayPrice) each"
        }
    }
}
