#if os(macOS)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitUI
    import SwiftUI

    /// What people, banks and time do, and what is said about it.
    struct ControlsView: View {
        @ObservedObject var world: DemoWorld

        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                Text("The App Store").font(.headline)
                toggle("A child buys: somebody has to approve", \.askToBuyEnabled)
                toggle("Purchases are interrupted", \.interruptedPurchasesEnabled)
                toggle("There is no network", \.isOffline)
                toggle("The card fails at the next renewal", \.shouldEnterBillingRetryOnRenewal)
                toggle("There is a grace period", \.billingGracePeriodIsEnabled)
                HStack {
                    Button("A day passes") { world.play("A day has passed.") { $0.advance(by: .days(1)) } }
                    Button("A month passes") { world.play("A month has passed.") { $0.advance(by: .months(1)) } }
                }
                Menu("Somebody …") {
                    ForEach(DemoWorld.productIDs, id: \.self) { productID in
                        Menu(productID) {
                            Button("approves") { world.play("Approved: \(productID)") { try $0.approvePurchase(of: productID) } }
                            Button("declines") { world.play("Declined: \(productID)") { try $0.declinePurchase(of: productID) } }
                            Button("confirms what was interrupted") {
                                world.play("Confirmed: \(productID)") { try $0.resolvePurchase(of: productID) }
                            }
                            Button("buys on another device") {
                                world.play("Bought elsewhere: \(productID)") { try $0.buyProduct(productID: productID) }
                            }
                            Button("gets a refund") { world.play("Refunded: \(productID)") { try $0.refund(productID) } }
                            Button("switches off the renewal") {
                                world.play("Not renewed any more: \(productID)") { try $0.disableAutoRenew(of: productID) }
                            }
                        }
                    }
                }
                Button("The app crashes, and is opened again") { world.relaunch() }
                Divider()
                Text("The log").font(.headline)
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
                        world.play("\(title): \(isOn ? "yes" : "no")") { $0.behavior[keyPath: behavior] = isOn }
                    }))
        }
    }
#endif
