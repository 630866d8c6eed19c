package import Foundation

/// The folder in which the package keeps its files, unless the app names a file of its own.
package struct StoreFolder: Sendable, Hashable {
    /// The systems, by the folders in which an app can keep files.
    package enum System: Sendable, Hashable, CaseIterable {
        /// Each app has its own container: iOS, watchOS, visionOS, and the sandbox of a Mac.
        case container
        /// Each app has its own container, but can write only to the Caches folder in it: tvOS. A simulated Apple TV
        /// also allows other folders.
        case caches
        /// All apps of a user share one folder: a Mac without the sandbox, and Linux.
        case shared
    }

    /// The folder.
    package let url: URL

    package init(of app: String = StoreFolder.app, on system: System = .current) {
        let directory =
            system == .caches ? FileManager.SearchPathDirectory.cachesDirectory : .applicationSupportDirectory
        let found = FileManager.default.urls(for: directory, in: .userDomainMask).first
        let folder = found ?? FileManager.default.temporaryDirectory
        url = Self.subfolder(of: system == .shared ? folder.appendingPathComponent(app, isDirectory: true) : folder)
    }

    /// Returns the folder in the container of an app group, which an app shares with its extensions.
    package init(inGroupContainer container: URL, on system: System = .current) {
        let library = container.appendingPathComponent("Library", isDirectory: true)
        let name = system == .caches ? "Caches" : "Application Support"
        url = Self.subfolder(of: library.appendingPathComponent(name, isDirectory: true))
    }

    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// The identifier of the app's bundle, or the name of a process without a bundle.
    package static var app: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

    private static func subfolder(of folder: URL) -> URL {
        folder.appendingPathComponent("AsyncStoreKit", isDirectory: true)
    }
}
