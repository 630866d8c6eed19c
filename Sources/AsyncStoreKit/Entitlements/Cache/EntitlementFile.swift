public import Foundation

/// An ``EntitlementCache`` in one file, which is replaced as a whole.
///
/// Only the user of the process can read and write the file (mode 0600). The file is left out of backups, and protected
/// until the device has been unlocked once where the platform can do that. Anything but a regular file, such as a
/// symbolic link or a named pipe, is refused without waiting.
public struct EntitlementFile: EntitlementCache, Hashable {
    /// The file.
    public let url: URL
    /// The app group, if it isn't available.
    private let missingGroup: String?

    /// The largest file that is read, in bytes: more than a customer can have.
    static let largestSize = 16 * 1_024 * 1_024

    /// Creates a cache in a file of the app's choice. The folder is created when there is something to save.
    public init(url: URL) {
        self.url = url
        missingGroup = nil
    }

    /// Creates a cache in the file `AsyncStoreKit/Entitlements` of the app's Application Support folder.
    public init() {
        self.init(url: Self.place(in: Self.applicationSupport))
    }

    /// Creates a cache in the container of an app group, where the extensions of the app can read it: the file
    /// `AsyncStoreKit/Entitlements` in the `Library/Application Support` folder.
    ///
    /// The app and the extensions need the App Groups capability with this group. If the group isn't available,
    /// ``load()`` and ``save(_:)`` throw an error.
    /// - Parameter appGroup: The identifier of the group, such as `group.com.example.app`.
    public init(appGroup: String) {
        let container = Self.container(ofGroup: appGroup)
        let folder = container?.appendingPathComponent("Library/Application Support", isDirectory: true)
        url = Self.place(in: folder ?? Self.applicationSupport)
        missingGroup = container == nil ? appGroup : nil
    }

    private static func place(in folder: URL) -> URL {
        folder.appendingPathComponent("AsyncStoreKit", isDirectory: true).appendingPathComponent("Entitlements")
    }

    static var applicationSupport: URL {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return folders.first ?? FileManager.default.temporaryDirectory
    }

    /// Returns the content of the file, or `nil` if the file doesn't exist.
    /// - Throws: ``StoreError/Code/systemError`` for a file that can't be opened, for anything but a regular file, for
    ///   a file of more than 16 MiB, and for a missing app group.
    public func load() throws -> Data? {
        try checkGroup()
        if let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType,
            type != .typeRegular
        {
            throw failure("isn't a regular file")
        }
        // Opening or reading a named pipe would wait for a writer, if there is one by now.
        let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw failure(code == ELOOP ? "isn't a regular file" : "can't be opened (\(code))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? file.close() }
        // Reads at most one byte more than the limit, however large the file is.
        let data = try file.read(upToCount: Self.largestSize + 1) ?? Data()
        guard data.count <= Self.largestSize else { throw failure("has more than \(Self.largestSize) bytes") }
        return data
    }

    /// Replaces the file. A reader sees the old content or the new one, and nothing in between.
    /// - Throws: ``StoreError/Code/systemError`` for a missing app group and for a file that can't be replaced, and
    ///   Foundation's error for a folder or a file that can't be written.
    public func save(_ data: Data) throws {
        try checkGroup()
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let new = folder.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
        // Other users can never open the file: its mode is set before its content is written.
        let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("can't be written (\(errno))") }
        close(descriptor)
        do {
            try data.write(to: new, options: Self.writingOptions)
            try Self.leaveOutOfBackups(new)
            guard rename(new.path, url.path) == 0 else { throw failure("can't be replaced (\(errno))") }
        } catch {
            try? FileManager.default.removeItem(at: new)
            throw error
        }
    }

    private func checkGroup() throws(StoreError) {
        guard let missingGroup else { return }
        throw StoreError(
            .systemError, "The app group \"\(missingGroup)\" isn't available: add it to the App Groups capability.")
    }

    private func failure(_ reason: String) -> StoreError {
        StoreError(.systemError, "The file \(url.lastPathComponent) \(reason).")
    }
}
