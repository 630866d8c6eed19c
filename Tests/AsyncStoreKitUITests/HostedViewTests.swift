#if canImport(UIKit) && !os(watchOS)
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI
    import TestHarness
    import Testing
    import UIKit

    /// Shows each public view in a hosting controller. SwiftUI reflects over the fields of a view then, which ends the
    /// process on a system that lacks the metadata of a field.
    @Suite(.bounded) @MainActor struct HostedViewTests {
        private let fixture = PaywallFixture()

        /// Lays out a view in a window, and returns its size.
        private func size(of view: some View) -> CGSize {
            let controller = UIHostingController(rootView: view)
            let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
            window.rootViewController = controller
            window.isHidden = false
            controller.view.setNeedsLayout()
            controller.view.layoutIfNeeded()
            return controller.sizeThatFits(in: window.bounds.size)
        }

        @Test(arguments: [true, false]) func `each view has a size, with a model and without`(hasModel: Bool)
            async throws
        {
            try await fixture.load()
            let model = hasModel ? StoreModel(fixture.store) : nil
            if let model { await model.loadProducts(PaywallFixture.productIDs) }
            func shown(_ view: some View) -> CGSize {
                guard let model else { return size(of: view) }
                return size(of: view.purchaseErrorAlert(model).storeModel(model, loading: ["pro"]) { _ in true })
            }
            expectEqual(shown(PurchaseButton("pro") { _ in }) == .zero, false)
            expectEqual(shown(PurchaseButton("pro").purchaseButtonStyle(.prominent("Buy"))) == .zero, false)
            expectEqual(shown(RestoreButton { _ in }) == .zero, false)
            expectEqual(shown(SubscriptionPicker(group: "club") { _ in }) == .zero, false)
            #if !os(tvOS)
                expectEqual(shown(ManageSubscriptionsButton(group: "club")) == .zero, false)
                expectEqual(shown(RefundRequestButton("pro")) == .zero, false)
                expectEqual(shown(RedeemCodeButton()) == .zero, false)
            #endif
            let entitled = EntitledView("pro") {
                Text("Pro")
            } paywall: {
                Text("Paywall")
            }
            expectEqual(shown(entitled) == .zero, false)
            expectEqual(shown(CustomStyleButton()) == .zero, false)
            _ = shown(PendingApprovals())
            _ = shown(List { PendingApprovals() })
            _ = shown(ScrollView { LazyVStack { PendingApprovals() } })
        }
    }

    /// A button in a style of the app's own, with the label of this module.
    private struct CustomStyleButton: View {
        private struct Style: PurchaseButtonStyle {
            func makeBody(configuration: PurchaseButtonConfiguration) -> some View {
                Button(action: configuration.trigger) { PurchaseLabel(configuration) }
                    .purchaseButtonAccessibility(configuration)
            }
        }

        var body: some View { PurchaseButton("coins").purchaseButtonStyle(Style()) }
    }
#endif
