#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    extension View {
        /// Provides a model to the views inside: to the views of this module, and to your own, which read it with
        /// `@EnvironmentObject`.
        ///
        /// Loads the products, reads the entitlements again when the app becomes active, presents purchases and sheets
        /// in the window that the customer used last of those with this modifier, and shows the App Store's messages on
        /// request. Views that name different products don't affect each other: the model loads what all views on the
        /// screen name. A view of this module that isn't inside logs a fault, and shows a note in a debug build.
        /// - Parameters:
        ///   - model: The model. Create it when the app launches.
        ///   - productIDs: The products that the views inside show.
        ///   - shouldShowMessage: Returns whether a message of the App Store, such as a failed payment or a price
        ///     increase, is shown when it arrives. If it's `nil`, the system decides when it shows messages. Only iOS
        ///     and visionOS have messages.
        public func storeModel(
            _ model: StoreModel, loading productIDs: [String] = [],
            shouldShowMessage: (@MainActor (StoreMessage) -> Bool)? = nil
        ) -> some View {
            modifier(StoreModifier(model: model, productIDs: productIDs, shouldShowMessage: shouldShowMessage))
        }
    }

    // The tasks are in a modifier: a public function that ends in `task` doesn't link in a release build of Xcode 27.
    private struct StoreModifier: ViewModifier {
        let model: StoreModel
        let productIDs: [String]
        let shouldShowMessage: (@MainActor (StoreMessage) -> Bool)?
        @Environment(\.scenePhase) private var phase
        @State private var place = ConfirmationPlace()

        func body(content: Content) -> some View {
            content
                .environmentObject(model)
                .environment(\.currentStoreModel, model)
                .background(ConfirmationPlaceReader(place: place))
                .onAppear { model.core.want(productIDs, at: place) }
                .onChange(of: productIDs) { model.core.want($0, at: place) }
                .onDisappear { model.core.change { $0.products.leave(place) } }
                .task { await handle(.appeared) }
                .task(id: phase) { await handle(.scene(isActive: phase == .active)) }
                .onReceive(Self.notifications(.appBecameActive)) { _ in send(.application(isActive: true)) }
                .onReceive(Self.notifications(.appLeft)) { _ in send(.application(isActive: false)) }
                .onReceive(Self.notifications(.windowUsed)) { notification in
                    if let window = notification.object as? AnyObject, place.isIn(window) { send(.windowUsed) }
                }
                .task { await showMessages() }
        }

        private func handle(_ event: ViewActivation.Event) async {
            await model.core.handle(event, at: place)
        }

        private func send(_ event: ViewActivation.Event) {
            Task { await handle(event) }
        }

        private static func notifications(_ name: Notification.Name) -> NotificationCenter.Publisher {
            NotificationCenter.default.publisher(for: name)
        }

        private func showMessages() async {
            guard let shouldShowMessage else { return }
            for await message in model.store.messages where shouldShowMessage(message) {
                // The App Store sends a message again that can't be shown because the view has just disappeared.
                try? await model.store.show(message, in: place.anchor)
            }
        }
    }
#endif
