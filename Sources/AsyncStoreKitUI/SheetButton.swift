#if canImport(SwiftUI)
    import AsyncStoreKit
    import SwiftUI

    /// A button that presents one of the system's sheets in its own window. One sheet is open at a time in each window.
    struct SheetButton<Value: Sendable, Label: View>: View {
        /// The name of the public view, for warnings.
        let view: String
        /// Whether the sheet can do something for this customer.
        var isUseful: @MainActor (StoreModelState) -> Bool = { _ in true }
        /// The alert after a sheet that was closed without an error.
        var alert: (Value) -> StoreAlert? = { _ in nil }
        // A result instead of a typed error: SwiftUI reflects over the fields of a view, and systems before iOS 18 have
        // no metadata for a function type with a typed error.
        let present: @MainActor (PurchaseStore, PresentationAnchor?) async -> Result<Value, StoreError>
        let completion: @MainActor (Result<Value, StoreError>) -> Void
        let label: () -> Label
        @State private var place = ConfirmationPlace()

        var body: some View {
            ModelReader(view: view) { model in
                Button {
                    Task { await open(model) }
                } label: {
                    label()
                }
                .disabled(model.core.isSheetOpen(at: place) || !isUseful(model.state))
                .background(ConfirmationPlaceReader(place: place))
            } fallback: {
                Button {
                } label: {
                    label()
                }
                .disabled(true)
            }
        }

        private func open(_ model: StoreModel) async {
            let (store, anchor) = (model.store, place.anchor)
            do throws(StoreError) {
                let value = try await model.core.present(at: place, alert: alert) { () async throws(StoreError) in
                    try await present(store, anchor).get()
                }
                if let value { completion(.success(value)) }
            } catch {
                completion(.failure(error))
            }
        }
    }
#endif
