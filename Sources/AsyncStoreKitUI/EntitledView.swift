#if canImport(SwiftUI)
    import AsyncStoreKit
    public import SwiftUI

    /// Shows `content` to customers who have access, `paywall` to those who don't, and `placeholder` until it's known.
    ///
    /// Known entitlements are available at once, even without a network, so a paying customer never sees the paywall
    /// for a moment.
    public struct EntitledView<Content: View, Paywall: View, Placeholder: View>: View {
        private enum Access {
            case anyOf(Set<String>)
            case group(String)
        }

        private let access: Access
        private let content: () -> Content
        private let paywall: () -> Paywall
        private let placeholder: () -> Placeholder

        private init(
            _ access: Access, _ content: @escaping () -> Content, _ paywall: @escaping () -> Paywall,
            _ placeholder: @escaping () -> Placeholder
        ) {
            self.access = access
            self.content = content
            self.paywall = paywall
            self.placeholder = placeholder
        }

        /// Creates a view for products. Without a model in the environment, it shows the placeholder and logs a fault.
        /// - Parameters:
        ///   - productIDs: Any of these products gives access.
        ///   - content: For customers who have access.
        ///   - paywall: For customers who don't have access.
        ///   - placeholder: Until the entitlements are known, usually for less than a second.
        public init(
            anyOf productIDs: Set<String>, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder paywall: @escaping () -> Paywall, @ViewBuilder placeholder: @escaping () -> Placeholder
        ) {
            self.init(.anyOf(productIDs), content, paywall, placeholder)
        }

        /// Creates a view for a subscription group. Without a model in the environment, it shows the placeholder and
        /// logs a fault.
        ///
        /// Over StoreKit 1, receipts name no groups. The view then also needs the group's products in
        /// `storeModel(_:loading:shouldShowMessage:)`, and shows the placeholder to former subscribers until they are
        /// loaded.
        /// - Parameters:
        ///   - groupID: Any subscription of this group gives access.
        ///   - content: For customers who have access.
        ///   - paywall: For customers who don't have access.
        ///   - placeholder: Until the entitlements are known, usually for less than a second.
        public init(
            group groupID: String, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder paywall: @escaping () -> Paywall, @ViewBuilder placeholder: @escaping () -> Placeholder
        ) {
            self.init(.group(groupID), content, paywall, placeholder)
        }

        /// The view.
        public var body: some View {
            ModelReader(view: "EntitledView") { model in
                switch phase(model.state) {
                case .content: content()
                case .locked: paywall()
                case .placeholder: placeholder()
                }
            } fallback: {
                placeholder()
            }
        }

        private func phase(_ state: StoreModelState) -> EntitledPhase {
            switch access {
            case .anyOf(let productIDs): EntitledPhase(state.entitlements, anyOf: productIDs)
            case .group(let groupID): EntitledPhase(state.entitlements, group: groupID, products: state.products)
            }
        }
    }

    extension EntitledView where Placeholder == ProgressView<EmptyView, EmptyView> {
        /// Creates a view for products that shows a spinner until the entitlements are known. See
        /// ``init(anyOf:content:paywall:placeholder:)``.
        public init(
            anyOf productIDs: Set<String>, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder paywall: @escaping () -> Paywall
        ) {
            self.init(.anyOf(productIDs), content, paywall) { ProgressView() }
        }

        /// Creates a view for a subscription group that shows a spinner until the entitlements are known. See
        /// ``init(group:content:paywall:placeholder:)``.
        public init(
            group groupID: String, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder paywall: @escaping () -> Paywall
        ) {
            self.init(.group(groupID), content, paywall) { ProgressView() }
        }
    }
#endif
