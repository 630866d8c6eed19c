#if os(macOS)
    import AppKit
    import AsyncStoreKitUI
    import SwiftUI

    /// A shop over a simulated App Store, with the controls of the App Store.
    @main struct DemoApp: App {
        @NSApplicationDelegateAdaptor private var delegate: DemoDelegate
        @StateObject private var world = DemoWorld()

        var body: some Scene {
            WindowGroup("A shop over a simulated App Store") {
                DemoView(world: world)
                    .storeModel(world.model, loading: DemoWorld.productIDs)
                    .purchaseErrorAlert(world.model)
                    .frame(minWidth: 1080, minHeight: 720)
            }
        }
    }

    /// A program without a bundle, as `swift run` starts it, has to ask for a window in front.
    private final class DemoDelegate: NSObject, NSApplicationDelegate {
        func applicationDidFinishLaunching(_ notification: Notification) {
            NSApplication.shared.setActivationPolicy(.regular)
            NSApplication.shared.activate(ignoringOtherApps: true)
        }

        func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool { true }
    }

    private struct DemoView: View {
        @ObservedObject var world: DemoWorld

        var body: some View {
            HStack(spacing: 0) {
                ShopView(world: world).frame(minWidth: 380)
                Divider()
                LibraryView(world: world).frame(minWidth: 240)
                Divider()
                ControlsView(world: world).frame(width: 300)
            }
        }
    }
#endif
