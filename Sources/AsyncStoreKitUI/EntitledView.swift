#if canImport(SwiftUI)
    import AsyncStoreKit
    public import SwiftUI

    /// Shows something to who may use it, something else to who may not, and neither while nobody knows.
    ///
    /// What is known is there at once, also without a network; a paywall never flashes by for somebody who has paid.
    public struct EntitledView<Content: View, Locked: View, Placeholder: View>: View {
        private let productIDs: Set<String>
        private let content: () -> Content
        private let locked: () -> Locked
        private let placeholder: () -> Placeholder
        @Environment(\.storeModel) private var model

        /// Makes a view. Without a model in the environment, it shows the placeholder.
        /// - Parameters:
        ///   - productIDs: Any of these gives access.
        ///   - content: For who may use it.
        ///   - locked: For who may not: what sells it.
        ///   - placeholder: While nothing is known. Usually shorter than a second.
        public init(
            anyOf productIDs: Set<String>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder locked: @escaping () -> Locked,
            @ViewBuilder placeholder: @escaping () -> Placeholder
        ) {
            self.productIDs = productIDs
            self.content = content
            self.locked = locked
            self.placeholder = placeholder
        }

        /// The view.
        public var body: some View {
            if let model {
                ModelledEntitledView(model: model, productIDs: productIDs, content: content, locked: locked, placeholder: placeholder)
            } else {
                placeholder()
            }
        }
    }

    extension EntitledView where Placeholder == ProgressView<EmptyView, EmptyView> {
        /// Makes a view that spins while nothing is known. See ``init(anyOf:content:locked:placeholder:)``.
        public init(
            anyOf productIDs: Set<String>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder locked: @escaping () -> Locked
        ) {
            self.init(anyOf: productIDs, content: content, locked: locked) { ProgressView() }
        }
    }

    private struct ModelledEntitledView<Content: View, Locked: View, Placeholder: View>: View {
        @ObservedObject var model: StoreModel
        let productIDs: Set<String>
        let content: () -> Content
        let locked: () -> Locked
        let placeholder: () -> Placeholder

        var body: some View {
            switch EntitledPhase(model.entitlements, anyOf: productIDs) {
            case .content: content()
            case .locked: locked()
            case .placeholder: placeholder()
            }
        }
    }
#endif
