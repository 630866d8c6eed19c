#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    /// A button that restores purchases. App Review expects one in an app that sells non-consumables or subscriptions.
    ///
    /// The button is disabled while a restore is running. With `purchaseErrorAlert(_:)`, the customer reads what was
    /// restored, or that there is nothing to restore.
    public struct RestoreButton<Label: View>: View {
        private let deliver: (@MainActor (StorePurchase) async throws -> Void)?
        private let completion: @MainActor (Result<RestoreOutcome, StoreError>) -> Void
        private let label: (Bool) -> Label
        @State private var place = ConfirmationPlace()

        /// Creates a button with a label of your own.
        /// - Parameters:
        ///   - deliver: Delivers each purchase, on the main actor. Without a closure, the installed delivery does.
        ///   - completion: Called with the result.
        ///   - label: Returns the label. The parameter says whether a restore is running.
        public init(
            deliver: (@MainActor (StorePurchase) async throws -> Void)? = nil,
            completion: @escaping @MainActor (Result<RestoreOutcome, StoreError>) -> Void = { _ in },
            @ViewBuilder label: @escaping (Bool) -> Label
        ) {
            self.deliver = deliver
            self.completion = completion
            self.label = label
        }

        /// The view.
        public var body: some View {
            ModelReader(view: "RestoreButton") { model in
                Button {
                    Task { await restore(model) }
                } label: {
                    label(model.isRestoring)
                }
                .disabled(model.isRestoring)
                .background(ConfirmationPlaceReader(place: place))
                .accessibilityHint(Text(verbatim: CustomerTexts.current.text(.hintRestore)))
            } fallback: {
                Button {
                } label: {
                    label(false)
                }
                .disabled(true)
            }
        }

        private func restore(_ model: StoreModel) async {
            model.core.use(windowOf: place)
            do throws(StoreError) {
                completion(.success(try await model.restore(deliver: deliver)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    extension RestoreButton where Label == Text {
        /// Creates a button that says "Restore Purchases". See ``init(deliver:completion:label:)``.
        public init(
            deliver: (@MainActor (StorePurchase) async throws -> Void)? = nil,
            completion: @escaping @MainActor (Result<RestoreOutcome, StoreError>) -> Void = { _ in }
        ) {
            self.init(deliver: deliver, completion: completion) { isRestoring in
                Text(verbatim: CustomerTexts.current.text(isRestoring ? .buttonRestoring : .buttonRestore))
            }
        }
    }
#endif
