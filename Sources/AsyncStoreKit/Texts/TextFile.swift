import Foundation

/// The files with the texts of the languages: one for each language except English, in JSON.
enum TextFile {
    /// Returns the texts of a language by key; `nil` if the file is missing or unreadable.
    static func table(of language: String) -> [String: String]? {
        bundle.flatMap { table(of: language, in: $0) }
    }

    static func table(of language: String, in bundle: Bundle) -> [String: String]? {
        let url = bundle.url(forResource: language, withExtension: "json", subdirectory: "Localizations")
        return url.flatMap { try? Data(contentsOf: $0) }.flatMap(table)
    }

    static func table(_ data: Data) -> [String: String]? {
        try? JSONSerialization.jsonObject(with: data) as? [String: String]
    }

    // `Bundle.module`, which the package manager generates, ends the process if the bundle is missing.
    static let bundle = firstBundle(
        in: [
            Bundle.main.resourceURL, Bundle(for: Marker.self).resourceURL, Bundle.main.bundleURL,
            Bundle(for: Marker.self).bundleURL.deletingLastPathComponent(),
        ])

    /// Returns the bundle of this module's resources in the first of some folders that has it.
    static func firstBundle(in folders: [URL?]) -> Bundle? {
        for folder in folders {
            for kind in ["bundle", "resources"] {
                guard let url = folder?.appendingPathComponent("AsyncStoreKit_AsyncStoreKit.\(kind)") else { continue }
                if let bundle = Bundle(url: url) { return bundle }
            }
        }
        return nil
    }

    /// A class whose bundle is the app, a framework or the bundle of a test, whichever has this module's code.
    private final class Marker {}
}
