#if os(macOS)
    import Foundation

    /// The names of the device and the system for reports.
    @MainActor enum PlatformName {
        static var device: String { "Mac" }
        static var system: String { "macOS \(ProcessInfo.processInfo.operatingSystemVersionString)" }
        static var environment: String { "Xcode, sandbox or production" }
    }
#endif
