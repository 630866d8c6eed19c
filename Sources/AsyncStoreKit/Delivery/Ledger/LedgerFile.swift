import Foundation

/// A delivery ledger's file, as one store reads and writes it.
///
/// The file is opened for each read and each write, and locked while it's written. A write waits for another process
/// for up to 30 milliseconds. No failure is thrown: what couldn't be written is kept and written with the next record.
final class LedgerFile {
    /// Where reading stopped, and in which file.
    private struct Position: Equatable {
        /// The first line of the file, which no other file has.
        var header: [UInt8]
        var end: Int64
    }

    private let ledger: DeliveryLedger
    private(set) var contents = LedgerContents()
    /// Why the file couldn't be read or written, or the damage that was found; `nil` when everything is written.
    private(set) var failure: StoreError?
    /// Whether the file was read, or can't be read in this launch.
    private(set) var isLoaded = false
    private var unwritten: [LedgerRecord] = []
    private var position: Position?
    /// Whether the next write has to replace the file.
    private var isDamaged = false

    /// The largest file that is read as a whole, in bytes. Of a larger one, only the end is read.
    static let largestSize: Int64 = 16 * 1_024 * 1_024
    /// How long a write waits for another process that has locked the file, in milliseconds.
    private static let longestLockWait = 30
    /// How many records wait at most for a file that can be written.
    private static let mostUnwritten = 10_000

    init(_ ledger: DeliveryLedger) {
        self.ledger = ledger
    }

    /// Reads the file. Does nothing after it was read once.
    func load() {
        guard !isLoaded else { return }
        do throws(StoreError) {
            try ledger.willPerform(.read).get()
            let descriptor = open(ledger.url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor < 0 {
                guard errno == ENOENT else { throw systemError("read") }
            } else {
                defer { close(descriptor) }
                try catchUp(with: descriptor)
            }
            isLoaded = true
        } catch {
            failure = failure ?? error
        }
    }

    /// Writes records. Returns when they are on the disk, or when that failed.
    func append(_ records: [LedgerRecord], now: Date) {
        for record in records { contents.apply(record) }
        unwritten = (unwritten + records).suffix(Self.mostUnwritten)
        do throws(StoreError) {
            try makeFolder()
            let lock = try lock()
            defer { unlock(lock) }
            let descriptor = try openForWriting()
            defer { close(descriptor) }
            try catchUp(with: descriptor)
            for record in unwritten { contents.apply(record) }
            if isDamaged || position?.end == 0 || contents.needsReplacement {
                try replace(now: now)
            } else {
                try append(unwritten, to: descriptor)
            }
            try ledger.willPerform(.written).get()
            unwritten = []
            failure = nil
            isLoaded = true
        } catch {
            failure = error
        }
    }
}

// Erasing.
extension LedgerFile {
    /// Removes what the file, its copy in memory, and a damaged copy beside the file keep about an account, or
    /// everything. Returns when the disk has it.
    /// - Throws: ``StoreError/Code/systemError`` if the file can't be replaced. Even then, memory no longer has the
    ///   records.
    func erase(account: String?, now: Date) throws(StoreError) {
        contents.erase(account: account)
        unwritten.removeAll { record in
            guard case .context(.requested(let context)) = record else { return account == nil }
            return account == nil || context.applicationUsername == account
        }
        guard access(ledger.url.path, F_OK) == 0 else { return }
        do throws(StoreError) {
            let lock = try lock()
            defer { unlock(lock) }
            let descriptor = try openForWriting()
            defer { close(descriptor) }
            try catchUp(with: descriptor)
            contents.erase(account: account)
            for record in unwritten { contents.apply(record) }
            // A damaged file may contain the erased records.
            isDamaged = false
            try replace(now: now)
            unwritten = []
            failure = nil
            isLoaded = true
            unlink(ledger.url.path + ".damaged")
        } catch {
            failure = error
            throw error
        }
    }
}

// Reading.
extension LedgerFile {
    /// Reads the part of the file that wasn't read yet.
    private func catchUp(with descriptor: Int32) throws(StoreError) {
        let size = try size(of: descriptor)
        let beginning = try bytes(of: descriptor, from: 0, count: min(size, 64))
        let header = beginning.firstIndex(of: UInt8(ascii: "\n")).map { Array(beginning[...$0]) } ?? []
        var start = position?.end ?? 0
        if position?.header != header || size < start {
            // The first read, or the file was replaced or cut.
            isDamaged = position?.header == header
            // Another store has replaced the file. What it has erased doesn't come back from memory.
            if position != nil, LedgerContents.header(of: beginning) == .current, !isDamaged {
                contents = LedgerContents()
            }
            start = try beginReading(beginning, header, size)
        }
        var data = try bytes(of: descriptor, from: start, count: size - start)[...]
        if start > Int64(header.count), position == nil, let end = data.firstIndex(of: UInt8(ascii: "\n")) {
            // Reading began inside a line.
            start += Int64(end) + 1
            data = data[(end + 1)...]
        }
        // The rest is a line that another process is writing, or that was cut when a process ended.
        let end = data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? data.startIndex
        let damaged = contents.read(data[..<end])
        if damaged > 0 {
            recordDamage("\(damaged) lines of the delivery ledger \"\(name)\" are damaged and were skipped.")
        }
        position = Position(header: header, end: start + Int64(end - data.startIndex))
    }

    /// Examines the beginning of a file. Returns where the records begin that are read.
    private func beginReading(_ beginning: [UInt8], _ header: [UInt8], _ size: Int64) throws(StoreError) -> Int64 {
        contents.lineCount = 0
        position = nil
        switch LedgerContents.header(of: beginning) {
        case .missing: return 0
        case .version(let version):
            isLoaded = true
            throw StoreError(
                .systemError, "The delivery ledger \"\(name)\" has version \(version), which this version can't read.")
        case .foreign:
            recordDamage("The file \"\(name)\" isn't a delivery ledger, or its beginning is damaged.")
            return size
        case .current:
            guard size > Self.largestSize else { return Int64(header.count) }
            recordDamage("The delivery ledger \"\(name)\" has \(size) bytes. Only its end is read.")
            return size - Self.largestSize / 2
        }
    }

    /// Records damage, which the next write repairs.
    private func recordDamage(_ message: String) {
        isDamaged = true
        failure = StoreError(.systemError, message)
    }

    private func bytes(of descriptor: Int32, from start: Int64, count: Int64) throws(StoreError) -> [UInt8] {
        guard count > 0 else { return [] }
        var data = [UInt8](repeating: 0, count: Int(count))
        var filled = 0
        while filled < data.count {
            let result = data.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled,
                    off_t(start) + off_t(filled))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw systemError("read") }
            guard result > 0 else { break }
            filled += result
        }
        return Array(data.prefix(filled))
    }
}

// Writing.
extension LedgerFile {
    private func makeFolder() throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                at: ledger.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw StoreError(
                .systemError, "The folder of the delivery ledger \"\(name)\" can't be created.", underlying: error)
        }
    }

    /// Locks the ledger, until ``unlock(_:)`` or the end of the process.
    ///
    /// The lock is on a separate file, because the ledger's file is sometimes replaced.
    private func lock() throws(StoreError) -> Int32 {
        let descriptor = StoreFile.openForWriting(ledger.url.path + ".lock", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("locked") }
        do throws(StoreError) {
            var waited = 0
            while true {
                try ledger.willPerform(.lock).get()
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
                // Another store on the device writes for a few milliseconds. A longer wait would hold up a purchase.
                guard waited < Self.longestLockWait else {
                    throw StoreError(.systemError, "Another process is writing the delivery ledger \"\(name)\".")
                }
                usleep(1_000)
                waited += 1
            }
        } catch {
            close(descriptor)
            throw error
        }
    }

    private func unlock(_ descriptor: Int32) {
        // Closing isn't enough: a process that the app is starting has a copy of the descriptor for a moment.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private func openForWriting() throws(StoreError) -> Int32 {
        try ledger.willPerform(.open).get()
        let descriptor = StoreFile.openForWriting(ledger.url.path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("opened for writing") }
        return descriptor
    }

    private func append(_ records: [LedgerRecord], to descriptor: Int32) throws(StoreError) {
        guard let end = position?.end else { return }
        try ledger.willPerform(.append).get()
        let data = Array(LedgerContents.text(of: records).utf8)
        do throws(StoreError) {
            // A record that was cut when a process ended.
            guard ftruncate(descriptor, off_t(end)) == 0 else { throw systemError("written") }
            try write(data, to: descriptor, at: end)
            try ledger.willPerform(.sync).get()
            guard StoreFile.synchronize(descriptor) else { throw systemError("written to the disk") }
        } catch {
            // Half a line would make the next one unreadable.
            if ftruncate(descriptor, off_t(end)) != 0 { isDamaged = true }
            throw error
        }
        position?.end += Int64(data.count)
        contents.lineCount += records.count
    }

    /// Replaces the file with a new one that has the records that are still needed. A file that isn't a ledger is
    /// renamed first.
    private func replace(now: Date) throws(StoreError) {
        contents.prune(now: now)
        try ledger.willPerform(.replace).get()
        if isDamaged, position?.end != 0 { try setAside() }
        let path = ledger.url.path + ".new"
        let descriptor = StoreFile.openForWriting(path, O_RDWR | O_TRUNC | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("replaced") }
        defer { close(descriptor) }
        do throws(StoreError) {
            let generation = UUID().uuidString
            let data = contents.encoded(generation: generation)
            try write(data, to: descriptor, at: 0)
            try ledger.willPerform(.sync).get()
            guard StoreFile.synchronize(descriptor) else { throw systemError("written to the disk") }
            guard rename(path, ledger.url.path) == 0 else { throw systemError("replaced") }
            Self.synchronizeFolder(of: ledger.url)
            position = Position(
                header: Array(LedgerContents.header(generation: generation).utf8), end: Int64(data.count))
            contents.lineCount = contents.deliveries.count + contents.contexts.count + contents.others.count
            isDamaged = false
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Keeps a damaged file beside the new one, in case you want to inspect it, or gave the ledger another
    /// file's name.
    private func setAside() throws(StoreError) {
        let copy = ledger.url.path + ".damaged"
        unlink(copy)
        guard link(ledger.url.path, copy) == 0 else { throw systemError("set aside") }
    }

    private func write(_ data: [UInt8], to descriptor: Int32, at start: Int64) throws(StoreError) {
        var written = 0
        while written < data.count {
            let result = data.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written,
                    off_t(start) + off_t(written))
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw systemError("written") }
            written += result
        }
    }

    private static func synchronizeFolder(of url: URL) {
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = StoreFile.synchronize(folder)
        close(folder)
    }
}

// Naming.
extension LedgerFile {
    private var name: String { ledger.url.lastPathComponent }

    /// Why the last call of the system failed.
    private func systemError(_ participle: String) -> StoreError {
        let number = errno
        let reason = String(cString: strerror(number))
        return StoreError(
            .systemError, "The delivery ledger \"\(name)\" can't be \(participle): \(reason).",
            underlying: POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO))
    }

    /// The size of a file. A file without a size, such as a pipe, is refused: reading or writing it could wait.
    private func size(of descriptor: Int32) throws(StoreError) -> Int64 {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw systemError("read") }
        return Int64(end)
    }
}
