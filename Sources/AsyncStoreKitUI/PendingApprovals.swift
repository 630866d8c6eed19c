#if canImport(SwiftUI)
    import AsyncStoreKit
    public import SwiftUI

    /// Lists the purchases that wait for approval (Ask to Buy). Shows nothing if there are none.
    public struct PendingApprovals: View {
        /// Creates the view.
        public init() {}

        /// The view.
        public var body: some View {
            ModelReader(view: "PendingApprovals") { model in
                ForEach(model.pendingPurchases) { pending in
                    Label {
                        VStack(alignment: .leading, spacing: 2) {
                            Text(verbatim: CustomerTexts.current.text(.approvalTitle)).font(.headline)
                            Text(verbatim: model.state.approvalMessage(for: pending)).font(.subheadline)
                        }
                        .fixedSize(horizontal: false, vertical: true)
                    } icon: {
                        Image(systemName: "hourglass").accessibilityHidden(true)
                    }
                    .accessibilityElement(children: .combine)
                }
            } fallback: {
                EmptyView()
            }
        }
    }
#endif
