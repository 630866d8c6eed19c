#if canImport(StoreKitTest) && !SWIFT_PACKAGE && os(macOS)
    import AppKit

    extension ScenePlatform {
        static let current = ScenePlatform.mac
        static var systemName: String { get async { "macOS" } }

        @MainActor static func open(_ url: URL) async -> Bool { NSWorkspace.shared.open(url) }
    }
#endif
