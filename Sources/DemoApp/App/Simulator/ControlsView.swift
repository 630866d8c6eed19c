#if os(macOS) || os(iOS) || os(visionOS)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// Controls for the simulated App Store and its clock, and the log.
    struct ControlsView: View {
        @ObservedObject var world: DemoWorld

        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                Text("The App Store").font(.headline)
                toggle("Purchases need approval (Ask to Buy)", \.askToBuyEnabled)
                toggle("Purchases are interrupted", \.interruptedPurchasesEnabled)
                toggle("There is no network", \.isOffline)
                toggle("The card fails at the next renewal", \.shouldEnterBillingRetryOnRenewal)
                toggle("There is a grace period", \.billingGracePeriodIsEnabled)
                HStack {
                    Button("Advance a day") { world.play("A day has passed.") { $0.advance(by: .days(1)) } }
                    Button("Advance a month") { world.play("A month has passed.") { $0.advance(by: .months(1)) } }
                }
                Menu("Purchases") {
                    ForEach(DemoWorld.productIDs, id: \.self) { productID in
                        Menu(productID) {
                            Button("Approve") {
                                world.play("Approved: \(productID)") { try $0.approvePurchase(of: productID) }
                            }
                            Button("Decline") {
                                world.play("Declined: \(productID)") { try $0.declinePurchase(of: productID) }
                            }
                            Button("Confirm an interrupted purchase") {
                                world.play("Confirmed: \(productID)") { try $0.resolvePurchase(of: productID) }
                            }
                            Button("Buy on another device") {
                                world.play("Bought on another device: \(productID)") {
                                    try $0.buyProduct(productID: productID)
                                }
                            }
                            Button("Refund") { world.play("Refunded: \(productID)") { try $0.refund(productID) } }
                            Button("Turn off the renewal") {
                                world.play("Renewal turned off: \(productID)") {
                                    try $0.disableAutoRenew(of: productID)
                                }
                            }
                        }
                    }
                }
                Button("Crash and relaunch the app") { world.relaunch() }
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

        private func toggle(_ title: String, _ behavior: any WritableKeyPath<SimulatorBehavior, Bool> & Sendable)
            -> some View
        {
            Toggle(
                title,
                isOn: Binding(
                    get: { world.appStore.behavior[keyPath: behavior] },
                    set: { isOn in
                        world.play("\(title): \(isOn ? "on" : "off")") { $0.behavior[keyPath: behavior] = isOn }
                    }))
        }
    }
#endif
