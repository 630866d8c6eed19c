#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    /// A button that buys a product.
    ///
    /// It is disabled while its product is being bought or waits for approval, when nothing is left to buy, and until the product has been loaded by
    /// `storeModel(_:loading:)`. The purchase is confirmed in the window in which the button is. Its outcome goes to this button's
    /// `completion`, and its error is shown by this button's label only.
    public struct PurchaseButton<Label: View>: View {
        private let productID: String
        private let options: PurchaseOptions
        private let deliver: ((StorePurchase) async throws -> Void)?
        private let completion: @MainActor (Result<PurchaseOutcome, StoreError>) -> Void
        private let label: (StoreProduct?, PurchaseProgress, StoreEntitlement?) -> Label
        @Environment(\.storeModel) private var model

        /// Makes a button.
        /// - Parameters:
        ///   - productID: What it buys.
        ///   - options: How. The place where it is confirmed is the button's own window, unless the options name one.
        ///   - deliver: Delivers what was bought. Without one the installed delivery does; where there is none, the purchase is offered on
        ///     `transactions` of the store.
        ///   - completion: Called with what came of each purchase that this button has begun.
        ///   - label: Made of the product, `nil` until it is loaded; of what is going on; and of what the customer owns of it.
        public init(
            _ productID: String, options: PurchaseOptions = PurchaseOptions(), deliver: ((StorePurchase) async throws -> Void)? = nil,
            completion: @escaping @MainActor (Result<PurchaseOutcome, StoreError>) -> Void = { _ in },
            @ViewBuilder label: @escaping (StoreProduct?, PurchaseProgress, StoreEntitlement?) -> Label
        ) {
            self.productID = productID
            self.options = options
            self.deliver = deliver
            self.completion = completion
            self.label = label
        }

        /// The view.
        public var body: some View {
            if let model {
                ModelledPurchaseButton(
                    model: model, productID: productID, options: options, deliver: deliver, completion: completion, label: label)
            } else {
                // Without a model there is nothing to buy from.
                Button {
                } label: {
                    label(nil, .idle, nil)
                }
                .disabled(true)
            }
        }
    }

    extension PurchaseButton where Label == PurchaseLabel {
        /// Makes a button that shows the product's name and price. See ``init(_:options:deliver:completion:label:)``.
        public init(
            _ productID: String, options: PurchaseOptions = PurchaseOptions(), deliver: ((StorePurchase) async throws -> Void)? = nil,
            completion: @escaping @MainActor (Result<PurchaseOutcome, StoreError>) -> Void = { _ in }
        ) {
            self.init(productID, options: options, deliver: deliver, completion: completion) { product, progress, entitlement in
                PurchaseLabel(product: product, progress: progress, entitlement: entitlement)
            }
        }
    }

    /// The name of a product with its price, or with what is going on: what a ``PurchaseButton`` shows that was not given anything else.
    public struct PurchaseLabel: View {
        private let product: StoreProduct?
        private let progress: PurchaseProgress
        private let entitlement: StoreEntitlement?

        /// Makes a label of what a button is given.
        public init(product: StoreProduct?, progress: PurchaseProgress, entitlement: StoreEntitlement?) {
            self.product = product
            self.progress = progress
            self.entitlement = entitlement
        }

        /// The view.
        public var body: some View {
            HStack {
                Text(product?.displayName ?? " ")
                Spacer(minLength: 8)
                if PurchaseButtonState(product: product, shared: progress, failure: nil, entitlement: entitlement).isOwned {
                    Image(systemName: "checkmark")
                } else {
                    switch progress {
                    case .idle: Text(product?.displayPrice ?? " ").monospacedDigit()
                    case .purchasing, .awaitingDelivery: ProgressView()
                    case .pending: Image(systemName: "hourglass")
                    case .failed: Image(systemName: "exclamationmark.triangle")
                    }
                }
            }
        }
    }

    private struct ModelledPurchaseButton<Label: View>: View {
        @ObservedObject var model: StoreModel
        let productID: String
        let options: PurchaseOptions
        let deliver: ((StorePurchase) async throws -> Void)?
        let completion: @MainActor (Result<PurchaseOutcome, StoreError>) -> Void
        let label: (StoreProduct?, PurchaseProgress, StoreEntitlement?) -> Label
        @State private var failure: StoreError?
        @State private var place = ConfirmationPlace()

        var body: some View {
            let state = PurchaseButtonState(
                product: model.product(productID), shared: model.progress(of: productID), failure: failure,
                entitlement: model.entitlements[productID])
            Button {
                // Not a task of the view's: it would be cancelled when the view goes, and the outcome would reach nobody.
                Task { await buy() }
            } label: {
                label(state.product, state.progress, state.entitlement)
            }
            .disabled(!state.isEnabled)
            .background(ConfirmationPlaceReader(place: place))
        }

        private func buy() async {
            failure = nil
            do throws(StoreError) {
                completion(.success(try await model.purchase(productID, options: place.anchored(options), deliver: deliver)))
            } catch {
                failure = error
                completion(.failure(error))
            }
        }
    }
#endif
