#if os(tvOS)
    import SwiftUI

    /// The controls of the simulated App Store need views that an Apple TV doesn't have.
    struct SimulatorTab: View {
        var body: some View { Text("Run the app on another platform to play with the simulated App Store.") }
    }
#endif
