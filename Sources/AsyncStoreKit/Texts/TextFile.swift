import Foundation

/// The files with the texts of the languages: one for each language except English, in JSON.
enum TextFile {
    /// Returns the texts of a language by key; `nil` if the file is missing or unreadable.
    static func table(of language: String, in bundle: Bundle? = bundle) -> [String: String]? {
        let url = bundle?.url(forResource: language, withExtension: "json", subdirectory: "Localizations")
        return url.flatMap { try? Data(contentsOf: $0) }.flatMap(table)
    }

    static func table(_ data: Data) -> [String: String]? {
        try? JSONSerialization.jsonObject(with: data) as? [String: String]
    }

    // `Bundle.module`, which the package manager generates, ends the process if the bundle is missing.
    static let bundle: Bundle? = {
        let own = Bundle(for: Marker.self)
        return firstBundle(
            in: folders(
                app: Bundle.main.bundleURL, appResources: Bundle.main.resourceURL, own: own.bundleURL,
                ownResources: own.resourceURL, environment: ProcessInfo.processInfo.environment))
    }()

    /// Returns the folders that may have the bundle of this module's resources, the likeliest first.
    ///
    /// A preview of a package runs in an app of Xcode's. This module's code is then in a framework, up to three folders
    /// below the products of the build, or Xcode names the folder in a variable.
    static func folders(
        app: URL, appResources: URL?, own: URL, ownResources: URL?, environment: [String: String]
    ) -> [URL] {
        let named = ["PACKAGE_RESOURCE_BUNDLE_PATH", "PACKAGE_RESOURCE_BUNDLE_URL"].compactMap { environment[$0] }
        let above = sequence(first: own) { $0.deletingLastPathComponent() }.dropFirst().prefix(3)
        return named.map { URL(fileURLWithPath: $0, isDirectory: true) }
            + [appResources, ownResources, app].compactMap(\.self) + above
    }

    /// Returns the bundle of this module's resources in the first of some folders that has it.
    static func firstBundle(in folders: [URL]) -> Bundle? {
        for folder in folders {
            for kind in ["bundle", "resources"] {
                let url = folder.appendingPathComponent("AsyncStoreKit_AsyncStoreKit.\(kind)")
                if let bundle = Bundle(url: url) { return bundle }
            }
        }
        return nil
    }

    /// A class whose bundle is the app, a framework or the bundle of a test, whichever has this module's code.
    private final class Marker {}
}
