#if os(macOS)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// The controls of the simulated App Store, and the log.
    struct ControlsView: View {
        @ObservedObject var world: DemoWorld

        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                Text("The App Store").font(.headline)
                toggle("Ask to Buy", \.askToBuyEnabled)
                toggle("Interrupted purchases", \.interruptedPurchasesEnabled)
                toggle("Offline", \.isOffline)
                toggle("Renewals fail with a billing issue", \.shouldEnterBillingRetryOnRenewal)
                toggle("Billing grace period", \.billingGracePeriodIsEnabled)
                HStack {
                    Button("Advance a Day") { world.perform("Advanced a day") { $0.advance(by: .days(1)) } }
                    Button("Advance a Month") { world.perform("Advanced a month") { $0.advance(by: .months(1)) } }
                }
                Menu("Events") {
                    ForEach(DemoWorld.productIDs, id: \.self) { productID in
                        Menu(productID) {
                            Button("Approve Purchase") {
                                world.perform("Approved: \(productID)") { try $0.approvePurchase(of: productID) }
                            }
                            Button("Decline Purchase") {
                                world.perform("Declined: \(productID)") { try $0.declinePurchase(of: productID) }
                            }
                            Button("Resolve Interrupted Purchase") {
                                world.perform("Resolved: \(productID)") { try $0.resolvePurchase(of: productID) }
                            }
                            Button("Buy on Another Device") {
                                world.perform("Bought on another device: \(productID)") { try $0.buyProduct(productID: productID) }
                            }
                            Button("Refund") { world.perform("Refunded: \(productID)") { try $0.refund(productID) } }
                            Button("Turn Off Renewal") {
                                world.perform("Turned off renewal: \(productID)") { try $0.disableAutoRenew(of: productID) }
                            }
                        }
                    }
                }
                Button("Crash and Relaunch") { world.relaunch() }
                Divider()
                Text("Log").font(.headline)
                ScrollView {
                    LazyVStack(alignment: .leading, spacing: 4) {
                        ForEach(Array(world.log.enumerated().reversed()), id: \.offset) { line in
                            Text(line.element).font(.caption.monospaced()).textSelection(.enabled)
                        }
                    }
                }
            }
            .padding()
        }

        private func toggle(_ title: String, _ behavior: any WritableKeyPath<SimulatorBehavior, Bool> & Sendable) -> some View {
            Toggle(
                title,
                isOn: Binding(
                    get: { world.appStore.behavior[keyPath: behavior] },
                    set: { isOn in
                        world.perform("\(title): \(isOn ? "on" : "off")") { $0.behavior[keyPath: behavior] = isOn }
                    }))
        }
    }
#endif
