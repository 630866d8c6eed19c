import Foundation

/// Looks for a configuration file where SwiftPM puts the resources of test targets, and in the folder of the package.
package struct ConfigurationSearch {
    /// The folder of the test program, beside which SwiftPM puts resources.
    private let products: URL
    private let workingFolder: URL

    /// - Parameter workingFolder: The folder in which the program runs.
    package init(
        products: URL = Bundle.main.bundleURL,
        workingFolder: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    ) {
        (self.products, self.workingFolder) = (products, workingFolder)
    }

    /// Returns the address of the file with a name. Resources come first, then files that are less deep in the package.
    package func url(ofFileNamed name: String) throws -> URL {
        let file = name.hasSuffix(".storekit") ? name : "\(name).storekit"
        let resources = resourceFolders
        for folder in resources {
            if let url = Self.file(file, in: folder) { return url }
        }
        let package = packageFolder
        if let package, let url = Self.file(file, in: package) { return url }
        let places =
            (resources.isEmpty ? ["the resources of test targets (there are none)"] : resources.map(\.path))
            + [package.map(\.path) ?? "the folder of the package (\(workingFolder.path) isn't in one)"]
        throw SKTestError(.fileNotFound, "There is no file \(file) in \(places.joined(separator: ", nor in ")).")
    }

    private var resourceFolders: [URL] {
        let beside = (try? FileManager.default.contentsOfDirectory(at: products, includingPropertiesForKeys: nil)) ?? []
        return beside.filter { ["resources", "bundle"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
    }

    /// The nearest folder with a manifest, around the working folder or the test program.
    private var packageFolder: URL? {
        for start in [workingFolder, products] {
            var folder = start.standardizedFileURL
            while folder.pathComponents.count > 1 {
                let manifest = folder.appendingPathComponent("Package.swift")
                if FileManager.default.fileExists(atPath: manifest.path) { return folder }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }

    /// Returns the file that is least deep in a folder, apart from hidden folders.
    private static func file(_ name: String, in folder: URL) -> URL? {
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        let found = (files?.allObjects as? [URL] ?? []).filter { $0.lastPathComponent == name }
        return found.min { ($0.pathComponents.count, $0.path) < ($1.pathComponents.count, $1.path) }
    }
}
