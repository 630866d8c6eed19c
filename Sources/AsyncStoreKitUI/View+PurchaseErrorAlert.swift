#if canImport(SwiftUI)
    import AsyncStoreKit
    public import SwiftUI

    extension View {
        /// Shows alerts about purchases, restores and sheets of a model: the reason of a failure, the restored
        /// purchases, that there is nothing to restore, and that a refund was requested.
        ///
        /// A cancellation by the customer needs no alert, and a paid purchase that will be delivered isn't an error.
        /// If several views with this modifier are on the screen, the one in the window that the customer used last
        /// shows the alert, and of a view and its sheet, the sheet. An alert whose view disappears is handed on to the
        /// next one. Errors that happen while no view has the modifier aren't shown later.
        /// - Parameter model: The model.
        public func purchaseErrorAlert(_ model: StoreModel) -> some View {
            modifier(PurchaseErrorAlert(model: model))
        }
    }

    private struct PurchaseErrorAlert: ViewModifier {
        @ObservedObject var model: StoreModel
        @State private var place = ConfirmationPlace()
        /// The title of the last alert, which stays on the screen while the alert disappears.
        @State private var lastTitle = ""

        func body(content: Content) -> some View {
            let alert = model.state.alerts[place]
            content
                .alert(Text(verbatim: alert?.title ?? lastTitle), isPresented: isPresented, presenting: alert) { _ in
                    Button(role: .cancel) {
                    } label: {
                        Text(verbatim: CustomerTexts.current.text(.buttonOK))
                    }
                } message: { alert in
                    Text(verbatim: alert.message)
                }
                .onChange(of: alert) { if let alert = $0 { lastTitle = alert.title } }
                .background(ConfirmationPlaceReader(place: place))
                .onAppear { model.core.change { $0.alerts.appeared(place) } }
                .onDisappear { model.core.change { $0.alerts.disappeared(place) } }
        }

        private var isPresented: Binding<Bool> {
            Binding {
                model.state.alerts[place] != nil
            } set: { isPresented in
                if !isPresented { model.core.change { $0.alerts.dismissed(at: place) } }
            }
        }
    }
#endif
