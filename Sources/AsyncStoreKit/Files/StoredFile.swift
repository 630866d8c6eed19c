import Foundation

/// A small file that is read and replaced as a whole: a process that ends leaves the old contents or the new ones.
struct StoredFile: Sendable, Hashable {
    let url: URL

    /// The largest file that is read, in bytes.
    static let largestSize = 16 * 1_024 * 1_024
    /// How long a replacement can take, in seconds. An older temporary file belongs to a process that has ended.
    private static let longestReplacement: Int64 = 3_600

    /// Returns the contents, one byte more than the limit at the most; `nil` if the file doesn't exist.
    func read() throws(StoreError) -> Data? {
        if let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType,
            type != .typeRegular
        {
            throw failure("isn't a regular file")
        }
        // Opening or reading a named pipe would wait for a writer, if there is one by now.
        let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT { return nil }
            throw number == ELOOP ? failure("isn't a regular file") : failure("can't be opened", number)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? file.close() }
        do {
            return try file.read(upToCount: Self.largestSize + 1) ?? Data()
        } catch {
            throw StoreError(.systemError, "The file \"\(name)\" can't be read.", underlying: error)
        }
    }

    /// Replaces the contents, and creates the folder of a new file.
    /// - Parameters:
    ///   - isLasting: Whether the disk has the new contents when the function returns. The caller has locked such a
    ///     file, and it's part of backups.
    ///   - willReplace: Called when the new file is complete, before it takes the place of the old one.
    func replace(
        with data: Data, isLasting: Bool, willReplace: () throws(StoreError) -> Void = {}
    ) throws(StoreError) {
        // The name has the time, because a file's own dates may only be read for a reason that Apple approves. In 32
        // bits, an `Int` can't hold it.
        let now = Int64(Date().timeIntervalSince1970)
        // Where a lock excludes other writers, there is nothing to sweep.
        let new = folder.appendingPathComponent(
            isLasting ? ".\(name).new" : "\(temporaryPrefix)\(now)-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let descriptor = StoreFile.openForWriting(new.path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure("can't be written", errno) }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            defer { try? file.close() }
            try file.write(contentsOf: data)
            if isLasting {
                guard StoreFile.synchronize(descriptor) else { throw failure("can't be written to the disk", errno) }
            } else {
                try StoreFile.leaveOutOfBackups(new)
            }
            try willReplace()
            guard rename(new.path, url.path) == 0 else { throw failure("can't be replaced", errno) }
        } catch {
            unlink(new.path)
            throw error as? StoreError
                ?? StoreError(.systemError, "The file \"\(name)\" can't be written.", underlying: error)
        }
        if isLasting { synchronizeFolder() } else { sweep(before: now - Self.longestReplacement) }
    }

    /// Removes the file, and what interrupted replacements have left beside it.
    func remove() throws(StoreError) {
        guard unlink(url.path) == 0 || errno == ENOENT else { throw failure("can't be removed", errno) }
        sweep(before: .max)
    }

    /// Keeps a copy of a damaged file beside it, in case you want to inspect it, or gave the file another file's name.
    func setAside() throws(StoreError) {
        unlink(copy.path)
        guard link(url.path, copy.path) == 0 else { throw failure("can't be set aside", errno) }
    }

    var copy: URL { folder.appendingPathComponent("\(name).damaged") }

    /// The error for a problem with the file.
    /// - Parameter number: The error number of the system's call that failed.
    func failure(_ problem: String, _ number: Int32? = nil) -> StoreError {
        guard let number else { return StoreError(.systemError, "The file \"\(name)\" \(problem).") }
        return StoreError(
            .systemError, "The file \"\(name)\" \(problem): \(String(cString: strerror(number))).",
            underlying: POSIXErrorCode(rawValue: number).map { POSIXError($0) })
    }

    private var name: String { url.lastPathComponent }

    private var folder: URL { url.deletingLastPathComponent() }

    private var temporaryPrefix: String { ".\(name)." }

    private func synchronizeFolder() {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = StoreFile.synchronize(descriptor)
        close(descriptor)
    }

    /// Removes temporary files that an ended process has left.
    private func sweep(before time: Int64) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(temporaryPrefix) {
            let written = Int64(name.dropFirst(temporaryPrefix.count).prefix { $0 != "-" }) ?? 0
            if written < time { unlink(folder.appendingPathComponent(name).path) }
        }
    }
}
