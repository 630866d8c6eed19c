#if canImport(SwiftUI)
    import AsyncStoreKit
    import AsyncStoreKitUI
    import StoreKit
    import SwiftUI

    /// Apple's own views, over the same store.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    struct AppleShop: View {
        @EnvironmentObject private var model: StoreModel

        var body: some View {
            SubscriptionStoreView(groupID: "club")
                .onInAppPurchaseCompletion { _, result in
                    if case .success(let purchase) = result { model.store.adopt(purchase) }
                }
        }
    }
#endif
