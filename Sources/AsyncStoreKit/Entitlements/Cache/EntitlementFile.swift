public import Foundation

/// An ``EntitlementCache`` in one file, which is replaced as a whole, left out of backups, and protected until the device has been unlocked
/// once where the platform can do that.
public struct EntitlementFile: EntitlementCache, Hashable {
    /// The file.
    public let url: URL

    /// The largest file that is read, in bytes: more than a customer can have.
    static let largestSize = 16 * 1_024 * 1_024

    /// Keeps entitlements in a file of the app's own choice. Its folder is made when there is something to keep.
    public init(url: URL) {
        self.url = url
    }

    /// Keeps entitlements where the app keeps what it needs to run: `AsyncStoreKit/Entitlements` in its Application Support folder.
    public init() {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let folder = folders.first ?? FileManager.default.temporaryDirectory
        self.init(url: folder.appendingPathComponent("AsyncStoreKit", isDirectory: true).appendingPathComponent("Entitlements"))
    }

    /// What is in the file; `nil` when there is none.
    /// - Throws: What Foundation says of a file that cannot be read, and an error for one of more than 16 MiB.
    public func load() throws -> Data? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        // However large it is: no more than that is read.
        let data = try file.read(upToCount: Self.largestSize + 1) ?? Data()
        guard data.count <= Self.largestSize else {
            throw StoreError(.systemError, "\(url.lastPathComponent) has more than \(Self.largestSize) bytes.")
        }
        return data
    }

    /// Replaces the file.
    /// - Throws: What Foundation says of a file that cannot be written.
    public func save(_ data: Data) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url, options: Self.writingOptions)
        try Self.leaveOutOfBackups(url)
    }
}
