#if canImport(SwiftUI)
    import AsyncStoreKit
    public import SwiftUI

    /// Lists the purchases that wait for approval (Ask to Buy), one below another. Shows nothing if there are none.
    public struct PendingApprovals: View {
        /// Creates the view.
        public init() {}

        /// The view.
        public var body: some View {
            ModelReader(view: "PendingApprovals") { model in
                if !model.pendingPurchases.isEmpty {
                    // The lazy containers of iOS 26 call the closure of a bare ForEach off the main actor, which ends
                    // the process.
                    VStack(alignment: .leading, spacing: 8) {
                        ForEach(model.pendingPurchases) { pending in row(model.state.approvalMessage(for: pending)) }
                    }
                }
            } fallback: {
                EmptyView()
            }
        }

        private func row(_ message: String) -> some View {
            Label {
                VStack(alignment: .leading, spacing: 2) {
                    Text(verbatim: CustomerTexts.current.text(.approvalTitle)).font(.headline)
                    Text(verbatim: message).font(.subheadline)
                }
                .fixedSize(horizontal: false, vertical: true)
            } icon: {
                Image(systemName: "hourglass").accessibilityHidden(true)
            }
            .accessibilityElement(children: .combine)
        }
    }
#endif
