#if canImport(SwiftUI)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitTesting
    import AsyncStoreKitUI
    import SwiftUI

    struct ClubShopPreviews: PreviewProvider {
        static let catalog = SimulatedCatalog(products: [
            .autoRenewable(
                "club.monthly", price: 4.99, period: .month(1), group: "club", name: "Club, Monthly",
                introductoryOffer: .freeTrial(.week(1))),
            .autoRenewable("club.yearly", price: 39.99, period: .year(1), group: "club", name: "Club, Yearly"),
        ])

        static var previews: some View {
            ClubShop()
                .storeModel(model(of: .new), loading: ["club.monthly", "club.yearly"])
                .previewDisplayName("New customer")
            ClubShop()
                .storeModel(model(of: .trial), loading: ["club.monthly", "club.yearly"])
                .previewDisplayName("In the trial")
        }

        private static func model(of customer: Customer) -> StoreModel {
            let store = try? PurchaseStore(customer, of: "club.monthly", in: catalog)
            return StoreModel(store ?? PurchaseStore(simulating: SimulatedAppStore(catalog: catalog)))
        }
    }
#endif
