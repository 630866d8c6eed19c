#if canImport(SwiftUI)
    import AppReceipt
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// Purchase buttons, with and without a style.
    struct ProductList: View {
        var body: some View {
            List {
                PurchaseButton("coins", options: [.quantity(3)])
                PurchaseButton("pro")
                PurchaseButton("club.yearly", options: [.billingPlan(.monthly)])
            }
        }
    }

    /// A style of the app's own.
    struct PricePillStyle: PurchaseButtonStyle {
        func makeBody(configuration: PurchaseButtonConfiguration) -> some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(configuration.title).font(.headline)
                    if let offer = configuration.terms?.offer { Text(offer).font(.subheadline) }
                }
                Spacer()
                Button(action: configuration.trigger) {
                    if configuration.isInProgress {
                        ProgressView()
                    } else {
                        Text(configuration.status ?? configuration.terms?.price ?? "")
                    }
                }
                .purchaseButtonAccessibility(configuration)
            }
        }
    }

    struct StyledProductList: View {
        var body: some View {
            List {
                PurchaseButton("pro")
                PurchaseButton("club.monthly")
            }
            .purchaseButtonStyle(PricePillStyle())
        }
    }

    /// A button that delivers the purchase itself, and tells its view how the purchase ended.
    struct CoinShop: View {
        @State private var message = ""

        var body: some View {
            VStack {
                PurchaseButton("coins") { purchase in
                    await Library.shared.add(purchase)
                } completion: { result in
                    if case .success(.success) = result { message = "You have more coins." }
                }
                Text(message)
            }
        }
    }

    /// A screen that names its own products.
    struct CoinScreen: View {
        @EnvironmentObject private var model: StoreModel

        var body: some View {
            List { PurchaseButton("coins") }
                .storeModel(model, loading: ["coins"])
        }
    }
#endif
