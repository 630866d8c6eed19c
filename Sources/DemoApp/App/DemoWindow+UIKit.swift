#if canImport(UIKit) && !os(watchOS)
    @MainActor enum DemoWindow {
        /// Only a program on a Mac can start behind another one.
        static func bringToFront() {}
    }
#endif
