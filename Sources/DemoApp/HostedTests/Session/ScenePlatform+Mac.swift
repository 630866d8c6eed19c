#if canImport(StoreKitTest) && !SWIFT_PACKAGE && os(macOS)
    import AppKit

    extension ScenePlatform {
        static let current = ScenePlatform.mac
        static let systemName = "macOS"

        @MainActor static func open(_ url: URL) async -> Bool { NSWorkspace.shared.open(url) }
    }
#endif
