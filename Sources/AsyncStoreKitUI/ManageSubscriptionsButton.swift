#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import AsyncStoreKit
    public import SwiftUI

    /// A button that presents the sheet in which the customer changes or cancels subscriptions.
    ///
    /// On macOS, and over StoreKit 1, there is no such sheet: the button opens the customer's subscriptions in the App
    /// Store.
    public struct ManageSubscriptionsButton<Label: View>: View {
        private let groupID: String?
        private let completion: @MainActor (Result<Void, StoreError>) -> Void
        private let label: () -> Label
        @Environment(\.openURL) private var openURL

        /// Creates a button with a label of your own.
        /// - Parameters:
        ///   - groupID: The subscription group to show, in iOS 17 and later; `nil` shows all subscriptions.
        ///   - completion: Called when the sheet is closed.
        ///   - label: Returns the label.
        public init(
            group groupID: String? = nil,
            completion: @escaping @MainActor (Result<Void, StoreError>) -> Void = { _ in },
            @ViewBuilder label: @escaping () -> Label
        ) {
            self.groupID = groupID
            self.completion = completion
            self.label = label
        }

        /// The view.
        public var body: some View {
            SheetButton(view: "ManageSubscriptionsButton", present: present, completion: completion, label: label)
        }

        private func present(_ store: PurchaseStore, _ anchor: PresentationAnchor?) async -> Result<Void, StoreError> {
            do throws(StoreError) {
                try await store.manageSubscriptions(inGroup: groupID, in: anchor)
            } catch {
                guard error.code == .unsupported, let url = URL(string: "https://apps.apple.com/account/subscriptions")
                else {
                    return .failure(error)
                }
                openURL(url)
            }
            return .success(())
        }
    }

    extension ManageSubscriptionsButton where Label == Text {
        /// Creates a button that says "Manage Subscriptions". See ``init(group:completion:label:)``.
        public init(
            group groupID: String? = nil, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void = { _ in }
        ) {
            self.init(group: groupID, completion: completion) {
                Text(verbatim: CustomerTexts.current.text(.buttonManage))
            }
        }
    }
#endif
