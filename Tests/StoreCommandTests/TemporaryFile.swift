import Foundation

/// A temporary file that the object deletes when it is deinitialized.
final class TemporaryFile: Sendable {
    let url: URL

    convenience init(_ text: String, name: String = "Test.storekit") throws {
        try self.init(Data(text.utf8), name: name)
    }

    init(_ contents: Data, name: String = "Test.storekit") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent(name)
        try contents.write(to: url)
    }

    deinit {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    var path: String { url.path }
}
