#if os(macOS) || os(iOS) || os(visionOS)
    import AsyncStoreKitUI
    import SwiftUI

    /// A shop over a simulated App Store, with the controls of the App Store.
    struct SimulatorTab: View {
        @StateObject private var world = DemoWorld()

        var body: some View {
            ScrollView(.horizontal) {
                HStack(spacing: 0) {
                    ShopView(world: world).frame(minWidth: 380)
                    Divider()
                    LibraryView(world: world).frame(minWidth: 240)
                    Divider()
                    ControlsView(world: world).frame(width: 300)
                }
            }
            .storeModel(world.model, loading: DemoWorld.productIDs)
            .purchaseErrorAlert(world.model)
        }
    }
#endif
