#if canImport(SwiftUI)
    import AsyncStoreKit
    public import SwiftUI

    /// Shows `content` if the customer is entitled to it, `paywall` if not, and `placeholder` until entitlements are known.
    ///
    /// Known entitlements are there at once, also without a network, so a paying customer never sees a flash of the paywall.
    public struct EntitledView<Content: View, Paywall: View, Placeholder: View>: View {
        private let productIDs: Set<String>
        private let content: () -> Content
        private let paywall: () -> Paywall
        private let placeholder: () -> Placeholder
        @Environment(\.storeModel) private var model

        /// Makes a view. Without a model in the environment, it shows the placeholder.
        /// - Parameters:
        ///   - productIDs: Any of these gives access.
        ///   - content: For customers who are entitled.
        ///   - paywall: For customers who aren't.
        ///   - placeholder: While entitlements aren't known, usually for less than a second.
        public init(
            anyOf productIDs: Set<String>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder paywall: @escaping () -> Paywall,
            @ViewBuilder placeholder: @escaping () -> Placeholder
        ) {
            self.productIDs = productIDs
            self.content = content
            self.paywall = paywall
            self.placeholder = placeholder
        }

        /// The view.
        public var body: some View {
            if let model {
                ModelledEntitledView(model: model, productIDs: productIDs, content: content, paywall: paywall, placeholder: placeholder)
            } else {
                placeholder()
            }
        }
    }

    extension EntitledView where Placeholder == ProgressView<EmptyView, EmptyView> {
        /// Makes a view that spins while nothing is known. See ``init(anyOf:content:paywall:placeholder:)``.
        public init(
            anyOf productIDs: Set<String>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder paywall: @escaping () -> Paywall
        ) {
            self.init(anyOf: productIDs, content: content, paywall: paywall) { ProgressView() }
        }
    }

    private struct ModelledEntitledView<Content: View, Paywall: View, Placeholder: View>: View {
        @ObservedObject var model: StoreModel
        let productIDs: Set<String>
        let content: () -> Content
        let paywall: () -> Paywall
        let placeholder: () -> Placeholder

        var body: some View {
            switch EntitledPhase(model.entitlements, anyOf: productIDs) {
            case .content: content()
            case .locked: paywall()
            case .placeholder: placeholder()
            }
        }
    }
#endif
