#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    /// A plain paywall for a subscription group: plans, prices, a button, and the links that App Review expects.
    ///
    /// The view lists the loaded products of the group, in the order in which
    /// `storeModel(_:loading:shouldShowMessage:)` loads them, with one option for each billing plan. Below the
    /// button are the terms of the selected plan, a button that restores, and the links. The header stays above the
    /// plans, even while they load.
    public struct SubscriptionPicker<Header: View>: View {
        private let groupID: String
        private let termsOfUse: URL?
        private let privacyPolicy: URL?
        private let deliver: (@MainActor (StorePurchase) async throws -> Void)?
        private let completion: @MainActor (Result<PurchaseOutcome, StoreError>) -> Void
        private let header: Header

        /// Creates a view with a header, such as the features of the subscription.
        /// - Parameters:
        ///   - groupID: The subscription group in App Store Connect.
        ///   - termsOfUse: The terms of use (EULA). App Review expects a link in apps with subscriptions. On tvOS and
        ///     watchOS, which open no web pages, the address is shown.
        ///   - privacyPolicy: The privacy policy. App Review expects a link in apps with subscriptions.
        ///   - deliver: Delivers the purchase, on the main actor. Without a closure, the installed delivery does.
        ///   - completion: Called with the result of each purchase.
        ///   - header: The view above the plans.
        public init(
            group groupID: String, termsOfUse: URL? = nil, privacyPolicy: URL? = nil,
            deliver: (@MainActor (StorePurchase) async throws -> Void)? = nil,
            completion: @escaping @MainActor (Result<PurchaseOutcome, StoreError>) -> Void = { _ in },
            @ViewBuilder header: () -> Header
        ) {
            self.groupID = groupID
            self.termsOfUse = termsOfUse
            self.privacyPolicy = privacyPolicy
            self.deliver = deliver
            self.completion = completion
            self.header = header()
        }

        /// The view.
        public var body: some View {
            ModelReader(view: "SubscriptionPicker") { model in
                VStack(spacing: 12) {
                    header
                    ModelledSubscriptionPicker(
                        model: model, groupID: groupID, termsOfUse: termsOfUse, privacyPolicy: privacyPolicy,
                        deliver: deliver, completion: completion)
                }
            } fallback: {
                ProgressView().accessibilityLabel(Text(verbatim: CustomerTexts.current.text(.statusLoading)))
            }
        }
    }

    extension SubscriptionPicker where Header == EmptyView {
        /// Creates a view without a header. See
        /// ``init(group:termsOfUse:privacyPolicy:deliver:completion:header:)``.
        public init(
            group groupID: String, termsOfUse: URL? = nil, privacyPolicy: URL? = nil,
            deliver: (@MainActor (StorePurchase) async throws -> Void)? = nil,
            completion: @escaping @MainActor (Result<PurchaseOutcome, StoreError>) -> Void = { _ in }
        ) {
            self.init(
                group: groupID, termsOfUse: termsOfUse, privacyPolicy: privacyPolicy, deliver: deliver,
                completion: completion, header: EmptyView.init)
        }
    }

    private struct ModelledSubscriptionPicker: View {
        let model: StoreModel
        let groupID: String
        let termsOfUse: URL?
        let privacyPolicy: URL?
        let deliver: (@MainActor (StorePurchase) async throws -> Void)?
        let completion: @MainActor (Result<PurchaseOutcome, StoreError>) -> Void
        @Environment(\.dynamicTypeSize) private var typeSize
        @State private var selection: SubscriptionPickerState.Option.ID?

        var body: some View {
            let state = SubscriptionPickerState(group: groupID, model.state, selection: selection)
            VStack(spacing: 12) {
                switch state.phase {
                case .loading:
                    ProgressView().accessibilityLabel(Text(verbatim: CustomerTexts.current.text(.statusLoading)))
                case .failed(let error): failure(error.localizedDescription)
                case .empty:
                    failure(nil).developerWarning(MissingModel.warning(forGroup: groupID, of: "SubscriptionPicker"))
                case .ready:
                    ForEach(state.options) { option in
                        OptionRow(option: option, isSelected: option == state.selected) { selection = option.id }
                    }
                    if let selected = state.selected { purchase(selected, state) }
                }
                RestoreButton(deliver: deliver).font(.subheadline)
                links
            }
        }

        private func failure(_ message: String?) -> some View {
            VStack(spacing: 8) {
                Text(verbatim: CustomerTexts.current.text(.pickerUnavailable)).font(.headline)
                if let message { Text(verbatim: message).font(.subheadline) }
                Button {
                    Task { await model.core.loadAgain(evenIfLoaded: true) }
                } label: {
                    Text(verbatim: CustomerTexts.current.text(.buttonTryAgain))
                }
            }
            .multilineTextAlignment(.center)
            .fixedSize(horizontal: false, vertical: true)
        }

        @ViewBuilder
        private func purchase(_ option: SubscriptionPickerState.Option, _ state: SubscriptionPickerState) -> some View {
            PurchaseButton(
                option.id.productID, options: option.purchaseOptions, deliver: deliver, completion: completion
            )
            .purchaseButtonStyle(.prominent(state.callToAction))
            .defaultAction()
            // A new identity for each option, so that its button doesn't show the error of another one.
            .id(option.id)
            if let disclosure = state.disclosure {
                Text(verbatim: disclosure)
                    .font(.footnote)
                    .foregroundColor(.secondary)
                    .multilineTextAlignment(.center)
                    .fixedSize(horizontal: false, vertical: true)
            }
        }

        @ViewBuilder private var links: some View {
            let links = PickerLink.links(
                termsOfUse: termsOfUse, privacyPolicy: privacyPolicy, opensPages: PickerLinkView.opensPages)
            // Side by side, the links don't fit at accessibility sizes.
            Group {
                if typeSize.isAccessibilitySize {
                    VStack(spacing: 8) {
                        ForEach(links) { PickerLinkView(link: $0) }
                    }
                } else {
                    HStack(spacing: 16) {
                        ForEach(links) { PickerLinkView(link: $0) }
                    }
                }
            }
            .font(.footnote)
        }
    }

    private struct OptionRow: View {
        let option: SubscriptionPickerState.Option
        let isSelected: Bool
        let select: () -> Void

        var body: some View {
            Button(action: select) {
                HStack(spacing: 12) {
                    Image(systemName: isSelected ? "largecircle.fill.circle" : "circle")
                    VStack(alignment: .leading, spacing: 2) {
                        Text(verbatim: option.title).font(.headline)
                        Text(verbatim: option.terms.summary).font(.subheadline)
                        if let note = option.note { Text(verbatim: note).font(.footnote).foregroundColor(.secondary) }
                    }
                    .multilineTextAlignment(.leading)
                    .fixedSize(horizontal: false, vertical: true)
                    Spacer(minLength: 0)
                }
                .padding(12)
                .contentShape(Rectangle())
                .overlay(
                    RoundedRectangle(cornerRadius: 12)
                        .strokeBorder(
                            // Less than the secondary color has less contrast than 3 to 1.
                            isSelected ? Color.accentColor : Color.secondary, lineWidth: isSelected ? 2 : 1
                        ))
            }
            .buttonStyle(.plain)
            .accessibilityLabel(Text(verbatim: option.accessibilityLabel))
            .accessibilityAddTraits(isSelected ? .isSelected : [])
        }
    }
#endif
