#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    /// Shows `content` to customers who have access, `paywall` to those who don't, and `placeholder` until it's known.
    ///
    /// Known entitlements are available at once, even without a network, so a paying customer never sees the paywall
    /// for a moment.
    ///
    /// ```swift
    /// EntitledView(.pro) {
    ///     Editor()
    /// } paywall: {
    ///     SubscriptionPicker(group: "21000001")
    /// }
    /// ```
    public struct EntitledView<Content: View, Paywall: View, Placeholder: View>: View {
        private let level: AccessLevel
        private let content: () -> Content
        private let paywall: () -> Paywall
        private let placeholder: () -> Placeholder

        /// Creates a view for a level of access. Without a model in the environment, it shows the placeholder and logs
        /// a fault.
        ///
        /// Over StoreKit 1, receipts name no groups. A level with groups then needs the groups' products in
        /// `storeModel(_:loading:shouldShowMessage:)`, and the view shows the placeholder to former subscribers until
        /// they are loaded.
        /// - Parameters:
        ///   - level: The level of access.
        ///   - content: For customers who have access.
        ///   - paywall: For customers who don't have access.
        ///   - placeholder: Until the entitlements are known, usually for less than a second.
        public init(
            _ level: AccessLevel, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder paywall: @escaping () -> Paywall, @ViewBuilder placeholder: @escaping () -> Placeholder
        ) {
            self.level = level
            self.content = content
            self.paywall = paywall
            self.placeholder = placeholder
        }

        /// Creates a view for a product. See ``init(_:content:paywall:placeholder:)-(AccessLevel,_,_,_)``.
        public init(
            _ productID: String, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder paywall: @escaping () -> Paywall, @ViewBuilder placeholder: @escaping () -> Placeholder
        ) {
            self.init(
                AccessLevel(products: [productID]), content: content, paywall: paywall, placeholder: placeholder)
        }

        /// The view.
        public var body: some View {
            ModelReader(view: "EntitledView") { model in
                switch EntitledPhase(model.state.entitlements, level, products: model.state.products.all) {
                case .content: content()
                case .locked: paywall()
                case .placeholder: placeholder()
                }
            } fallback: {
                placeholder()
            }
        }
    }

    extension EntitledView where Placeholder == ProgressView<EmptyView, EmptyView> {
        /// Creates a view for a level of access that shows a spinner until the entitlements are known. See
        /// ``init(_:content:paywall:placeholder:)-(AccessLevel,_,_,_)``.
        public init(
            _ level: AccessLevel, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder paywall: @escaping () -> Paywall
        ) {
            self.init(level, content: content, paywall: paywall) { ProgressView() }
        }

        /// Creates a view for a product that shows a spinner until the entitlements are known. See
        /// ``init(_:content:paywall:placeholder:)-(AccessLevel,_,_,_)``.
        public init(
            _ productID: String, @ViewBuilder content: @escaping () -> Content,
            @ViewBuilder paywall: @escaping () -> Paywall
        ) {
            self.init(AccessLevel(products: [productID]), content: content, paywall: paywall)
        }
    }
#endif
