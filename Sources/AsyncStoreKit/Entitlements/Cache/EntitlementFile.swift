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

    /// The largest file that is read, in bytes: more than a customer can have.
    static let largestSize = 16 * 1_024 * 1_024

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
        self.init(url: Self.place(in: StoreFolder()))
    }

    /// Creates a cache in the container of an app group, where the extensions of the app can read it: the file
    /// `AsyncStoreKit/Entitlements` in the `Library/Application Support` folder, or on tvOS in `Library/Caches`.
    ///
    /// The app and the extensions need the App Groups capability with this group. If the group isn't available,
    /// ``load()`` and ``save(_:)`` throw an error.
    /// - Parameter appGroup: The identifier of the group, such as `group.com.example.app`.
    public init(appGroup: String) {
        let container = StoreFile.container(ofGroup: appGroup)
        url = Self.place(in: container.map { StoreFolder(inGroupContainer: $0) } ?? StoreFolder())
        missingGroup = container == nil ? appGroup : nil
    }

    private static func place(in folder: StoreFolder) -> URL { folder.file("Entitlements") }

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
        // The name has the time, because a file's own dates may only be read for a reason that Apple approves.
        let now = Int(Date().timeIntervalSince1970)
        let new = folder.appendingPathComponent(".\(url.lastPathComponent).\(now)-\(UUID().uuidString)")
        let descriptor = StoreFile.openForWriting(new.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("can't be written (\(errno))") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            defer { try? file.close() }
            try file.write(contentsOf: data)
            try StoreFile.leaveOutOfBackups(new)
            guard rename(new.path, url.path) == 0 else { throw failure("can't be replaced (\(errno))") }
            sweep(folder, before: now - Self.longestSave)
        } catch {
            try? FileManager.default.removeItem(at: new)
            throw error
        }
    }

    /// Removes the file, and what an interrupted save has left beside it.
    /// - Throws: ``StoreError/Code/systemError`` for a missing app group and for a file that can't be removed.
    public func erase() throws {
        try checkGroup()
        guard unlink(url.path) == 0 || errno == ENOENT else { throw failure("can't be removed (\(errno))") }
        sweep(url.deletingLastPathComponent(), before: .max)
    }

    /// How long a save can take, in seconds. An older temporary file belongs to a process that has ended.
    private static let longestSave = 3_600

    /// Removes temporary files that an ended process has left.
    private func sweep(_ folder: URL, before time: Int) {
        let prefix = ".\(url.lastPathComponent)."
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let saved = Int(name.dropFirst(prefix.count).prefix { $0 != "-" }) ?? 0
            if saved < time { unlink(folder.appendingPathComponent(name).path) }
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
