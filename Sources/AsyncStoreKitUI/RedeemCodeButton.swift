#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import AsyncStoreKit
    public import SwiftUI

    /// A button that presents the sheet in which the customer redeems an offer code.
    ///
    /// The purchase is delivered by the installed delivery or on `transactions` of the store, like every purchase that
    /// no call asked for. The sheet needs iOS, visionOS, macOS 15 or Mac Catalyst 27; `completion` receives the code
    /// `unsupported` elsewhere.
    public struct RedeemCodeButton<Label: View>: View {
        private let completion: @MainActor (Result<OfferCodeOutcome, StoreError>) -> Void
        private let label: () -> Label

        /// Creates a button with a label of your own.
        /// - Parameters:
        ///   - completion: Called when the sheet is closed, or at once if the system doesn't report that.
        ///   - label: Returns the label.
        public init(
            completion: @escaping @MainActor (Result<OfferCodeOutcome, StoreError>) -> Void = { _ in },
            @ViewBuilder label: @escaping () -> Label
        ) {
            self.completion = completion
            self.label = label
        }

        /// The view.
        public var body: some View {
            SheetButton(
                view: "RedeemCodeButton",
                present: { store, anchor in
                    do throws(StoreError) {
                        return .success(try await store.redeemOfferCode(in: anchor))
                    } catch {
                        return .failure(error)
                    }
                },
                completion: completion, label: label)
        }
    }

    extension RedeemCodeButton where Label == Text {
        /// Creates a button that says "Redeem Code". See ``init(completion:label:)``.
        public init(completion: @escaping @MainActor (Result<OfferCodeOutcome, StoreError>) -> Void = { _ in }) {
            self.init(completion: completion) { Text(verbatim: CustomerTexts.current.text(.buttonRedeem)) }
        }
    }
#endif
