import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

extension DemoScene {
    static let products = DemoScene(title: "Products and prices") { stage in
        let unknown = "no.such.product"
        let ids = stage.catalog.products.map(\.productID)
        stage.say(.app, "store.products(for: \(ids.count) identifiers and \"\(unknown)\")")
        let response = try await stage.store.products(for: ids + [unknown])
        // StoreKit 2 names the storefront a moment after the launch.
        try await stage.store.settled()
        stage.say(
            .appStore,
            "storefront \(stage.store.storefront?.countryCode ?? "unknown"), \(response.products.count) products")
        let table = ConsoleTable(
            columns: [
                .init("Identifier"), .init("Name"), .init("Price", isTrailing: true), .init("Period"), .init("Notes"),
            ],
            rows: ids.compactMap { response[$0].map(row) }, indent: 3)
        for (index, line) in table.lines(width: stage.console.columns).enumerated() {
            stage.console.line(.init(line, index == 0 ? .quiet : .plain))
        }
        for id in response.invalidProductIDs.sorted() { stage.say(.appStore, "there is no product \"\(id)\"") }
    }

    private static func row(_ product: StoreProduct) -> [String] {
        var notes: [String] = []
        if let offer = product.introductoryOffer { notes.append(terms(of: offer, in: product)) }
        return [
            product.id, product.displayName, product.displayPrice, product.displaySubscriptionPeriod ?? "",
            notes.joined(separator: ", "),
        ]
    }

    private static func terms(of offer: StoreOffer, in product: StoreProduct) -> String {
        let (total, overflow) = offer.period.value.multipliedReportingOverflow(by: offer.periodCount)
        let all = StoreSubscriptionPeriod(value: overflow ? offer.period.value : total, unit: offer.period.unit)
        let length = all.formatted(in: product.priceLocale)
        return offer.paymentMode == .freeTrial ? "\(length) free" : "\(length) at \(offer.displayPrice)"
    }
}
