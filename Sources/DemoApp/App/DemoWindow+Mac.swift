#if os(macOS)
    import AppKit

    @MainActor enum DemoWindow {
        /// A program without a bundle, as `swift run` starts it, has to ask for a window in front.
        static func bringToFront() {
            NSApplication.shared.setActivationPolicy(.regular)
            NSApplication.shared.activate(ignoringOtherApps: true)
        }
    }
#endif
