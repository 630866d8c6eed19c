import CatalogReview
import Foundation

/// The source files of an app, and its Xcode projects.
struct SourceFiles {
    private(set) var texts: [SourceText] = []
    /// The paths of `project.pbxproj` files.
    private(set) var projects: [String] = []

    // Languages whose literals are in double quotation marks and whose comments begin with a slash, and lists.
    // Larger files are generated, or data.
    private static let largest = [
        "swift": 1_000_000, "m": 1_000_000, "mm": 1_000_000, "h": 1_000_000, "kt": 1_000_000, "dart": 1_000_000,
        "cs": 1_000_000, "ts": 1_000_000, "tsx": 1_000_000, "js": 200_000, "jsx": 1_000_000, "json": 50_000,
        "plist": 50_000, "strings": 100_000,
    ]
    private static let skippedFolders: Set<String> = [
        "build", "Build", "DerivedData", "Pods", "Carthage", "node_modules", "vendor", "Tests", "tests",
    ]

    /// Reads a file, or all source files of a folder. Hidden folders, folders of tests, builds and dependencies are
    /// skipped.
    mutating func read(_ path: String) throws(CommandFailure) {
        let url = URL(fileURLWithPath: path)
        guard (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false else {
            return try add(path)
        }
        guard
            let all = FileManager.default.enumerator(
                at: url, includingPropertiesForKeys: [.isDirectoryKey, .fileSizeKey], options: [.skipsHiddenFiles])
        else { throw CommandFailure(.noInput, "\(path) cannot be read.") }
        var found: [String] = []
        while let file = all.nextObject() as? URL {
            let values = try? file.resourceValues(forKeys: [.isDirectoryKey, .fileSizeKey])
            if values?.isDirectory ?? false {
                let name = file.lastPathComponent
                if Self.skippedFolders.contains(name) || name.hasSuffix("Tests") { all.skipDescendants() }
            } else if let largest = Self.largest[file.pathExtension], (values?.fileSize ?? 0) <= largest {
                found.append(file.path)
            } else if file.lastPathComponent == "project.pbxproj" {
                projects.append(file.path)
            }
        }
        let prefix = url.standardizedFileURL.path
        for file in found.sorted() { try add(Self.shown(file, below: prefix, as: path)) }
        projects = projects.map { Self.shown($0, below: prefix, as: path) }.sorted()
    }

    /// Returns a path that begins as the user wrote it.
    private static func shown(_ file: String, below folder: String, as path: String) -> String {
        guard file.hasPrefix(folder + "/") else { return file }
        let start = path.hasSuffix("/") ? String(path.dropLast()) : path
        return start + file.dropFirst(folder.count)
    }

    private mutating func add(_ path: String) throws(CommandFailure) {
        let data = try InputFile.read(path, as: "a source file")
        texts.append(SourceText(String(decoding: data, as: UTF8.self), path: path))
    }
}
