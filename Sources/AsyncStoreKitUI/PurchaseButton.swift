#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    /// A button that buys a product. It shows the price, the period of a subscription, and the introductory offer if
    /// the customer is eligible.
    ///
    /// The button is disabled while its product is being purchased or waits for approval, when nothing is left to buy,
    /// and until `storeModel(_:loading:shouldShowMessage:)` has loaded the product. The purchase is confirmed in the
    /// window of the button. To change how buttons look, use `purchaseButtonStyle(_:)`.
    public struct PurchaseButton: View {
        private let productID: String
        private let options: PurchaseOptions
        private let deliver: (@MainActor (StorePurchase) async throws -> Void)?
        private let completion: @MainActor (Result<PurchaseOutcome, StoreError>) -> Void
        @Environment(\.purchaseButtonStyle) private var style

        /// Creates a button.
        /// - Parameters:
        ///   - productID: The product.
        ///   - options: The options of the purchase. The price that the button shows follows from the quantity, the
        ///     billing plan and the offer. The purchase is confirmed in the button's own window, unless the options
        ///     name an anchor.
        ///   - deliver: Delivers the purchase, on the main actor. Without a closure, the installed delivery does. If no
        ///     delivery is installed, the purchase is offered on `transactions` of the store.
        ///   - completion: Called with the result of each purchase that this button starts. `purchaseErrorAlert(_:)`
        ///     shows errors to the customer.
        public init(
            _ productID: String, options: PurchaseOptions = PurchaseOptions(),
            deliver: (@MainActor (StorePurchase) async throws -> Void)? = nil,
            completion: @escaping @MainActor (Result<PurchaseOutcome, StoreError>) -> Void = { _ in }
        ) {
            self.productID = productID
            self.options = options
            self.deliver = deliver
            self.completion = completion
        }

        /// The view.
        public var body: some View {
            ModelReader(view: "PurchaseButton") { model in
                ModelledPurchaseButton(
                    model: model, productID: productID, options: options, deliver: deliver, completion: completion,
                    style: style)
            } fallback: {
                style.body(
                    PurchaseButtonConfiguration(productID: productID, StoreModelState().button(for: productID)) {})
            }
        }
    }

    private struct ModelledPurchaseButton: View {
        let model: StoreModel
        let productID: String
        let options: PurchaseOptions
        let deliver: (@MainActor (StorePurchase) async throws -> Void)?
        let completion: @MainActor (Result<PurchaseOutcome, StoreError>) -> Void
        let style: any PurchaseButtonStyle
        @State private var failure: StoreError?
        @State private var place = ConfirmationPlace()

        var body: some View {
            let state = model.state.button(for: productID, options: options, failure: failure)
            style.body(PurchaseButtonConfiguration(productID: productID, state, trigger: buyer))
                .background(ConfirmationPlaceReader(place: place))
                .developerWarning(
                    state.absence == .unknown ? MissingModel.warning(forProduct: productID, of: "PurchaseButton") : nil)
        }

        private var buyer: @MainActor @Sendable () -> Void {
            // Not a task of the view, which is canceled when the view disappears: nothing would receive the outcome.
            { Task { await buy() } }
        }

        private func buy() async {
            failure = nil
            model.core.use(windowOf: place)
            do throws(StoreError) {
                completion(
                    .success(try await model.purchase(productID, options: place.anchored(options), deliver: deliver)))
            } catch {
                failure = error
                completion(.failure(error))
            }
        }
    }
#endif
