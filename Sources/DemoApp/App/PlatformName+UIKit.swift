#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// The names of the device and the system for reports.
    @MainActor enum PlatformName {
        static var device: String { UIDevice.current.model }
        static var system: String { "\(UIDevice.current.systemName) \(UIDevice.current.systemVersion)" }
        static var environment: String { "Xcode, sandbox or production" }
    }
#endif
