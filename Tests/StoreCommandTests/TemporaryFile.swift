import Foundation

/// A temporary file that the object deletes when it is deinitialized.
final class TemporaryFile: Sendable {
    let url: URL

    init(_ contents: String, name: String = "Test.storekit") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent(name)
        try Data(contents.utf8).write(to: url)
    }

    deinit {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    var path: String { url.path }
}
