#if canImport(StoreKitTest) && !SWIFT_PACKAGE && canImport(UIKit)
    import UIKit

    extension ScenePlatform {
        /// The simulator tells its processes its identifier.
        static let current: ScenePlatform =
            ProcessInfo.processInfo.environment["SIMULATOR_UDID"] == nil ? .device : .simulator
        @MainActor static var systemName: String { UIDevice.current.systemName }

        @MainActor static func open(_ url: URL) async -> Bool { await UIApplication.shared.open(url) }
    }
#endif
