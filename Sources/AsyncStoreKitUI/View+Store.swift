#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    extension View {
        /// Hands a model to the views inside: ``PurchaseButton``, ``EntitledView``, ``RestoreButton``, and `storeModel` of their environment.
        ///
        /// Loads the products, looks again when the app becomes active, and shows the App Store's messages if it is asked to.
        /// - Parameters:
        ///   - model: The model, made when the app launches.
        ///   - productIDs: What is for sale in here.
        ///   - shouldShowMessage: Whether one of the App Store's messages, such as a failed payment or a higher price, is shown when it
        ///     comes, in this view's window; without it, the system shows them when it likes. Only iOS and visionOS have any.
        public func storeModel(
            _ model: StoreModel, loading productIDs: [String] = [], shouldShowMessage: (@MainActor (StoreMessage) -> Bool)? = nil
        ) -> some View {
            modifier(StoreModifier(model: model, productIDs: productIDs, shouldShowMessage: shouldShowMessage))
        }
    }

    /// The tasks are in here: a public function that ends in one does not link in a release build of Xcode 27.
    private struct StoreModifier: ViewModifier {
        let model: StoreModel
        let productIDs: [String]
        let shouldShowMessage: (@MainActor (StoreMessage) -> Bool)?
        @Environment(\.scenePhase) private var phase
        @State private var place = ConfirmationPlace()

        func body(content: Content) -> some View {
            content
                .environment(\.storeModel, model)
                .background(ConfirmationPlaceReader(place: place))
                .task(id: productIDs) { await model.loadProducts(productIDs) }
                .task(id: phase) { if phase == .active { await becomeActive() } }
                .task { await showMessages() }
        }

        /// Purchases and sheets are presented in the window that the customer used last.
        private func becomeActive() async {
            model.store.setPresentationAnchor { [place] in place.anchor }
            await model.refresh()
        }

        private func showMessages() async {
            guard let shouldShowMessage else { return }
            for await message in model.store.messages where shouldShowMessage(message) {
                // What cannot be shown here, because the view has just gone, the App Store says again.
                try? await model.store.show(message, in: place.anchor)
            }
        }
    }
#endif
