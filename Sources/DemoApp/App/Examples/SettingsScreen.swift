#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// The part of a settings screen about purchases.
    struct PurchaseSettings: View {
        @EnvironmentObject private var model: StoreModel

        var body: some View {
            Form {
                RestoreButton()
                ManageSubscriptionsButton(group: "club")
                RefundRequestButton("pro")
                RedeemCodeButton()
            }
            .purchaseErrorAlert(model)
        }
    }

    /// Refunds of consumables, which have no entitlement.
    struct CoinRefunds: View {
        @EnvironmentObject private var model: StoreModel
        @State private var purchases: [VerifiedTransaction] = []

        var body: some View {
            List(purchases) { purchase in
                RefundRequestButton(transactionID: purchase.id) {
                    Text("Refund \(purchase.productID)")
                }
            }
            .task { purchases = (try? await model.store.consumablePurchases()) ?? [] }
        }
    }
#endif
