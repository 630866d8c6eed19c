import Foundation

/// The files of hosted content, in a temporary directory of their own that vanishes with the store.
// @unchecked because: it is touched only under the lock of the store whose state holds it; the directory never changes.
final class ContentFiles: @unchecked Sendable {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "AppStoreSimulator-\(UUID().uuidString)", isDirectory: true)
    private var exists = false

    deinit {
        if exists {
            try? FileManager.default.removeItem(at: directory)
        }
    }

    /// Makes a file of this size. It is sparse: it takes no room on the disk.
    func make(_ name: String, size: Int64) throws -> URL {
        if !exists {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            exists = true
        }
        let url = directory.appendingPathComponent(name, isDirectory: false)
        try Data().write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(max(0, size)))
        return url
    }

    func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: url)
    }
}
