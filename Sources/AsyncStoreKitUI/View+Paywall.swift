#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    extension View {
        /// Presents a paywall in a sheet while the customer lacks a level of access.
        ///
        /// ```swift
        /// Editor()
        ///     .paywall(for: .pro) { SubscriptionPicker(group: "21000001") }
        /// ```
        /// The sheet appears when it's known that the customer lacks the level, and closes when the customer has it:
        /// after a purchase, a restore or an approval. Without a model in the environment, no sheet appears, and a
        /// fault is logged.
        /// - Parameters:
        ///   - level: The level of access.
        ///   - isDismissible: Whether the customer can close the sheet without buying. The sheet then stays closed
        ///     until the view appears again, or until access has begun and ended.
        ///   - content: The paywall.
        public func paywall<Paywall: View>(
            for level: AccessLevel, isDismissible: Bool = false, @ViewBuilder content: @escaping () -> Paywall
        ) -> some View {
            modifier(PaywallModifier(level: level, isDismissible: isDismissible, paywall: content))
        }
    }

    private struct PaywallModifier<Paywall: View>: ViewModifier {
        let level: AccessLevel
        let isDismissible: Bool
        let paywall: () -> Paywall

        func body(content: Content) -> some View {
            ModelReader(view: "paywall(for:)") { model in
                ModelledPaywall(
                    model: model, level: level, isDismissible: isDismissible, content: content, paywall: paywall)
            } fallback: {
                content
            }
        }
    }

    private struct ModelledPaywall<Content: View, Paywall: View>: View {
        @ObservedObject var model: StoreModel
        let level: AccessLevel
        let isDismissible: Bool
        let content: Content
        let paywall: () -> Paywall
        @State private var presentation = PaywallPresentation()

        private var phase: EntitledPhase {
            EntitledPhase(model.state.entitlements, level, products: model.state.products.all)
        }

        var body: some View {
            content
                .sheet(isPresented: isPresented) {
                    // A sheet is a hierarchy of its own on some systems.
                    paywall()
                        .environmentObject(model)
                        .environment(\.currentStoreModel, model)
                        .interactiveDismissDisabled(!isDismissible)
                }
                .onChange(of: phase) { presentation.phaseChanged($0) }
                .onAppear { presentation.appeared() }
                .onDisappear { presentation.disappeared(phase) }
        }

        private var isPresented: Binding<Bool> {
            Binding {
                presentation.isPresented(phase)
            } set: { isPresented in
                if !isPresented { presentation.dismissed(isDismissible: isDismissible) }
            }
        }
    }
#endif
