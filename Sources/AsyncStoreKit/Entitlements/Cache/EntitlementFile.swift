public import Foundation

/// An ``EntitlementCache`` in one file, which is replaced as a whole.
///
/// Only the user of the process can read and write the file (mode 0600). The file is left out of backups. After a
/// restart, the file can be read once the device has been unlocked. Anything but a regular file, such as a symbolic
/// link or a named pipe, is refused without waiting.
public struct EntitlementFile: EntitlementCache, Hashable {
    /// The file.
    public let url: URL
    /// The app group, if it isn't available.
    private let missingGroup: String?

    /// Creates a cache in a file of the app's choice. The folder is created when there is something to save.
    public init(url: URL) {
        self.url = url
        missingGroup = nil
    }

    /// Creates a cache in the file `AsyncStoreKit/Entitlements` of the app's Application Support folder.
    ///
    /// On tvOS, the file is in the Caches folder, which the system may empty. On a Mac, the file of an app without the
    /// sandbox is in a folder that is named after the app: `com.example.app/AsyncStoreKit/Entitlements`.
    public init() {
        self.init(url: StoreFolder().file("Entitlements"))
    }

    /// Creates a cache in the container of an app group, where the extensions of the app can read it: the file
    /// `AsyncStoreKit/Entitlements` in the `Library/Application Support` folder, or on tvOS in `Library/Caches`.
    ///
    /// The app and the extensions need the App Groups capability with this group. If the group isn't available,
    /// ``load()`` and ``save(_:)`` throw an error.
    /// - Parameter appGroup: The identifier of the group, such as `group.com.example.app`.
    public init(appGroup: String) {
        let container = StoreFile.container(ofGroup: appGroup)
        url = (container.map { StoreFolder(inGroupContainer: $0) } ?? StoreFolder()).file("Entitlements")
        missingGroup = container == nil ? appGroup : nil
    }

    /// Returns the content of the file, or `nil` if the file doesn't exist.
    /// - Throws: ``StoreError/Code/systemError`` for a file that can't be opened, for anything but a regular file, for
    ///   a file of more than 16 MiB, and for a missing app group.
    public func load() throws -> Data? {
        let file = try file
        let data = try file.read()
        guard data.map(\.count) ?? 0 <= StoredFile.largestSize else {
            throw file.failure("has more than \(StoredFile.largestSize) bytes")
        }
        return data
    }

    /// Replaces the file. A reader sees the old content or the new one, and nothing in between.
    /// - Throws: ``StoreError/Code/systemError`` for a missing app group, and for a file that can't be replaced.
    public func save(_ data: Data) throws {
        try file.replace(with: data, isLasting: false)
    }

    /// Removes the file, and what an interrupted save has left beside it.
    /// - Throws: ``StoreError/Code/systemError`` for a missing app group, and for a file that can't be removed.
    public func erase() throws {
        try file.remove()
    }

    private var file: StoredFile {
        get throws(StoreError) {
            guard let missingGroup else { return StoredFile(url: url) }
            throw StoreError(
                .systemError, "The app group \"\(missingGroup)\" isn't available: add it to the App Groups capability.")
        }
    }
}
