#if canImport(SwiftUI)
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// A paywall with a header of the app's own.
    struct ClubShop: View {
        @EnvironmentObject private var model: StoreModel

        var body: some View {
            ScrollView {
                SubscriptionPicker(
                    group: "club",
                    termsOfUse: URL(string: "https://example.com/terms"),
                    privacyPolicy: URL(string: "https://example.com/privacy")
                ) {
                    Text("Join the club").font(.largeTitle.bold())
                    Text("Every filter, and a new one each month.")
                }
                .padding()
            }
            .purchaseErrorAlert(model)
        }
    }

    /// A paywall of the app's own.
    struct ClubPaywall: View {
        @EnvironmentObject private var model: StoreModel

        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                ForEach(model.products.filter { $0.subscriptionGroupID == "club" }) { product in
                    if let terms = model.terms(of: product) {
                        Text(product.displayName).font(.headline)
                        Text(terms.summary)
                        Button(terms.isTrial ? "Try it for free" : "Subscribe") { buy(product) }
                            .disabled(model.progress(of: product.id) != .idle)
                    }
                }
                RestoreButton()
            }
        }

        private func buy(_ product: StoreProduct) {
            Task { try await model.purchase(product.id) }
        }
    }

    /// A screen over which the paywall stays until the customer is a member.
    struct MembersScreen: View {
        var body: some View {
            Text("The archive of all filters")
                .paywall(for: .club) { SubscriptionPicker(group: "club") }
        }
    }

    /// A screen of the app that is a paywall for customers who aren't members.
    struct ClubScreen: View {
        var body: some View {
            EntitledView(.club) {
                MembershipStatus()
            } paywall: {
                SubscriptionPicker(group: "club")
            }
        }
    }

    /// The message about the subscription.
    struct MembershipStatus: View {
        @EnvironmentObject private var model: StoreModel

        var body: some View {
            let status = model.subscriptionStatus(inGroup: "club")
            switch status.state {
            case .subscribed where status.isTrial: Text("Your free trial ends on \(date(status.expirationDate)).")
            case .subscribed where status.renewal?.willRenew == false:
                Text("Your membership ends on \(date(status.accessEndDate)).")
            case .inGracePeriod, .inBillingRetryPeriod: Text("Update your payment method to stay a member.")
            case .subscribed: Text("You’re a member.")
            default: EmptyView()
            }
        }

        private func date(_ date: Date?) -> String {
            date?.formatted(date: .long, time: .omitted) ?? ""
        }
    }
#endif
