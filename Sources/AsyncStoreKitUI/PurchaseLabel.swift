#if canImport(SwiftUI)
    public import SwiftUI

    /// The label of a ``PurchaseButton``: the name of the product, the terms with the offer that applies, and the
    /// status.
    ///
    /// The texts wrap, and are stacked at accessibility text sizes.
    public struct PurchaseLabel: View {
        private let configuration: PurchaseButtonConfiguration
        @Environment(\.dynamicTypeSize) private var size

        /// Creates a label from the configuration of a style.
        public init(_ configuration: PurchaseButtonConfiguration) {
            self.configuration = configuration
        }

        /// The view.
        public var body: some View {
            if size.isAccessibilitySize {
                VStack(alignment: .leading, spacing: 4) {
                    texts
                    accessory
                }
            } else {
                HStack(alignment: .center, spacing: 8) {
                    texts
                    Spacer(minLength: 8)
                    accessory
                }
            }
        }

        private var texts: some View {
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: configuration.title.isEmpty ? " " : configuration.title)
                if let terms = configuration.terms, !configuration.isOwned {
                    Text(verbatim: terms.summary).font(.subheadline).foregroundColor(.secondary)
                }
                if let status = configuration.status {
                    Text(verbatim: status).font(.footnote).foregroundColor(.secondary)
                }
            }
            .multilineTextAlignment(.leading)
            .fixedSize(horizontal: false, vertical: true)
        }

        @ViewBuilder private var accessory: some View {
            if configuration.isInProgress {
                ProgressView().accessibilityLabel(Text(verbatim: configuration.status ?? ""))
            } else if let symbolName = configuration.symbolName {
                Image(systemName: symbolName).accessibilityLabel(Text(verbatim: configuration.status ?? ""))
            }
        }
    }
#endif
