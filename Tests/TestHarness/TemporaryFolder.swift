package import Foundation

/// A folder for the files of one test. It doesn't exist until a test creates it, and is removed with this object.
///
/// Keep the object in a property of the suite: Swift may release a local object after its last use.
package final class TemporaryFolder: Sendable {
    /// The folder, which nothing else uses.
    package let url: URL

    package init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "AsyncStoreKit-\(UUID().uuidString)", isDirectory: true)
    }

    /// Returns a file in the folder.
    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
