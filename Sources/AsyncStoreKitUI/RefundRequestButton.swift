#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import AsyncStoreKit
    public import SwiftUI

    /// A button that presents the sheet in which the customer requests a refund.
    ///
    /// For a product, the button is disabled unless the customer has paid for it and Apple hasn't revoked it. Over
    /// StoreKit 1, which has no such sheet, it's always disabled. With `purchaseErrorAlert(_:)`, the customer reads
    /// that the request was sent, or why it wasn't.
    public struct RefundRequestButton<Label: View>: View {
        private enum Subject {
            case product(String)
            case transaction(String)
        }

        private let subject: Subject
        private let completion: @MainActor (Result<RefundRequestOutcome, StoreError>) -> Void
        private let label: () -> Label

        private init(
            _ subject: Subject, _ completion: @escaping @MainActor (Result<RefundRequestOutcome, StoreError>) -> Void,
            _ label: @escaping () -> Label
        ) {
            self.subject = subject
            self.completion = completion
            self.label = label
        }

        /// Creates a button for a product that isn't a consumable, with a label of your own.
        /// - Parameters:
        ///   - productID: The product.
        ///   - completion: Called when the sheet is closed.
        ///   - label: Returns the label.
        public init(
            _ productID: String,
            completion: @escaping @MainActor (Result<RefundRequestOutcome, StoreError>) -> Void = { _ in },
            @ViewBuilder label: @escaping () -> Label
        ) {
            self.init(.product(productID), completion, label)
        }

        /// Creates a button for a transaction, such as that of a consumable, with a label of your own.
        /// - Parameters:
        ///   - transactionID: The identifier of the transaction, as `consumablePurchases` and `transactionHistory` of
        ///     the store list it.
        ///   - completion: Called when the sheet is closed.
        ///   - label: Returns the label.
        public init(
            transactionID: String,
            completion: @escaping @MainActor (Result<RefundRequestOutcome, StoreError>) -> Void = { _ in },
            @ViewBuilder label: @escaping () -> Label
        ) {
            self.init(.transaction(transactionID), completion, label)
        }

        /// The view.
        public var body: some View {
            SheetButton(
                view: "RefundRequestButton", isUseful: isUseful, alert: { StoreAlert($0) }, present: present,
                completion: completion, label: label)
        }

        private func isUseful(_ state: StoreModelState) -> Bool {
            switch subject {
            case .product(let productID): state.canRequestRefund(of: productID)
            case .transaction: true
            }
        }

        private func present(
            _ store: PurchaseStore, _ anchor: PresentationAnchor?
        ) async -> Result<RefundRequestOutcome, StoreError> {
            do throws(StoreError) {
                switch subject {
                case .transaction(let transactionID):
                    return .success(try await store.requestRefund(for: transactionID, in: anchor))
                case .product(let productID):
                    guard let entitlement = store.entitlements.latest[productID] else {
                        return .success(.userCancelled)
                    }
                    return .success(try await store.requestRefund(for: entitlement.transaction, in: anchor))
                }
            } catch {
                return .failure(error)
            }
        }
    }

    extension RefundRequestButton where Label == Text {
        /// Creates a button for a product that says "Request a Refund". See ``init(_:completion:label:)``.
        public init(
            _ productID: String,
            completion: @escaping @MainActor (Result<RefundRequestOutcome, StoreError>) -> Void = { _ in }
        ) {
            self.init(productID, completion: completion) { Text(verbatim: CustomerTexts.current.text(.buttonRefund)) }
        }

        /// Creates a button for a transaction that says "Request a Refund". See
        /// ``init(transactionID:completion:label:)``.
        public init(
            transactionID: String,
            completion: @escaping @MainActor (Result<RefundRequestOutcome, StoreError>) -> Void = { _ in }
        ) {
            self.init(transactionID: transactionID, completion: completion) {
                Text(verbatim: CustomerTexts.current.text(.buttonRefund))
            }
        }
    }
#endif
