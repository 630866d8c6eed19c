#if canImport(SwiftUI)
    public import SwiftUI

    /// The appearance of purchase buttons. Set a style with `purchaseButtonStyle(_:)`.
    ///
    /// App Review expects a subscription button, or the text beside it, to show the price with its period and the terms
    /// of the introductory offer: show ``PurchaseTerms/summary``.
    @MainActor public protocol PurchaseButtonStyle: Sendable {
        /// The view of a button.
        associatedtype Body: View

        /// Returns the view of a button.
        @ViewBuilder func makeBody(configuration: PurchaseButtonConfiguration) -> Body
    }

    extension PurchaseButtonStyle {
        func body(_ configuration: PurchaseButtonConfiguration) -> AnyView {
            AnyView(makeBody(configuration: configuration))
        }
    }

    /// A button with a ``PurchaseLabel``, in the button style of the environment. The default.
    public struct AutomaticPurchaseButtonStyle: PurchaseButtonStyle {
        /// Creates the style.
        public nonisolated init() {}

        /// Returns the view of a button.
        public func makeBody(configuration: PurchaseButtonConfiguration) -> some View {
            Button(action: configuration.trigger) { PurchaseLabel(configuration) }
                .purchaseButtonAccessibility(configuration)
        }
    }

    /// A wide, filled button with a text such as "Subscribe", for a paywall that shows the terms beside the button.
    ///
    /// App Review expects the terms of the purchase next to such a button.
    public struct ProminentPurchaseButtonStyle: PurchaseButtonStyle {
        private let title: String

        /// Creates the style.
        /// - Parameter title: The text of the button, such as "Subscribe".
        public nonisolated init(_ title: String) {
            self.title = title
        }

        /// Returns the view of a button.
        public func makeBody(configuration: PurchaseButtonConfiguration) -> some View {
            let words = configuration.status ?? title
            return Button(action: configuration.trigger) {
                HStack(spacing: 8) {
                    if configuration.isInProgress { ProgressView() }
                    Text(verbatim: words).font(.headline).multilineTextAlignment(.center)
                }
                .frame(maxWidth: .infinity)
                .padding(.vertical, 6)
            }
            .buttonStyle(.borderedProminent)
            .purchaseButtonAccessibility(configuration, showing: words)
        }
    }

    extension PurchaseButtonStyle where Self == AutomaticPurchaseButtonStyle {
        /// A button with the product's name, terms and status. The default.
        public nonisolated static var automatic: AutomaticPurchaseButtonStyle { AutomaticPurchaseButtonStyle() }
    }

    extension PurchaseButtonStyle where Self == ProminentPurchaseButtonStyle {
        /// A wide, filled button with a text. See ``ProminentPurchaseButtonStyle``.
        public nonisolated static func prominent(_ title: String) -> ProminentPurchaseButtonStyle {
            ProminentPurchaseButtonStyle(title)
        }
    }

    private struct PurchaseButtonStyleKey: EnvironmentKey {
        static let defaultValue: any PurchaseButtonStyle = AutomaticPurchaseButtonStyle()
    }

    extension EnvironmentValues {
        var purchaseButtonStyle: any PurchaseButtonStyle {
            get { self[PurchaseButtonStyleKey.self] }
            set { self[PurchaseButtonStyleKey.self] = newValue }
        }
    }

    extension View {
        /// Sets the style of the purchase buttons in this view.
        public func purchaseButtonStyle(_ style: some PurchaseButtonStyle) -> some View {
            environment(\.purchaseButtonStyle, style)
        }

        /// Disables a button that can't start a purchase, and describes it for accessibility: with the words on it, the
        /// product's name and terms, the status, and the hint. For the button in a style of your own.
        /// - Parameters:
        ///   - configuration: The configuration of the style.
        ///   - words: The words on the button, if they aren't texts of the configuration. People who use Voice Control
        ///     say the words that they see.
        public func purchaseButtonAccessibility(
            _ configuration: PurchaseButtonConfiguration, showing words: String = ""
        ) -> some View {
            let inputLabels = configuration.inputLabels(showing: words).map { Text(verbatim: $0) }
            return disabled(!configuration.isEnabled)
                .accessibilityLabel(Text(verbatim: configuration.accessibilityLabel(showing: words)))
                .accessibilityInputLabels(inputLabels)
                .accessibilityValue(Text(verbatim: configuration.accessibilityValue(showing: words)))
                .accessibilityHint(Text(verbatim: configuration.accessibilityHint))
        }
    }
#endif
