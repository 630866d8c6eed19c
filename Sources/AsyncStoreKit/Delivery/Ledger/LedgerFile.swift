import AppReceipt
import Foundation

/// A delivery ledger's file, as one store reads and writes it.
///
/// Each change replaces the file, which is locked meanwhile. A change waits for another process for up to 30
/// milliseconds. No failure is thrown: what couldn't be written is kept and written with the next record.
final class LedgerFile {
    private enum Reading {
        case missing
        /// The file isn't a ledger, or its contents are damaged.
        case damaged
        case contents(LedgerContents)
    }

    private let ledger: DeliveryLedger
    private let file: StoredFile
    private(set) var contents = LedgerContents()
    /// Why the file couldn't be read or written, or the damage that was found; `nil` when everything is written.
    private(set) var failure: StoreError?
    /// Whether the file was read, or can't be read in this launch.
    private(set) var isLoaded = false
    private var unwritten: [LedgerRecord] = []
    /// The file as this store has read or written it last. The same bytes aren't decoded again.
    private var known: (data: Data, contents: LedgerContents)?

    /// How long a write waits for another process that has locked the file, in milliseconds.
    private static let longestLockWait = 30

    init(_ ledger: DeliveryLedger) {
        self.ledger = ledger
        file = StoredFile(url: ledger.url)
    }

    /// Reads the file. Does nothing after it was read once.
    func load() {
        guard !isLoaded else { return }
        do throws(StoreError) {
            try ledger.willPerform(.read).get()
            switch try read() {
            case .missing: break
            case .damaged: failure = file.failure("isn't a delivery ledger, or is damaged")
            case .contents(let read):
                contents = read
                for record in unwritten { contents.apply(record) }
                failure = read.laterVersion.map { laterVersion($0) }
            }
            isLoaded = true
        } catch {
            failure = failure ?? error
        }
    }

    /// Writes records. Returns when they are on the disk, or when that failed.
    func append(_ records: [LedgerRecord], now: Date) {
        for record in records { contents.apply(record) }
        unwritten = (unwritten + records).suffix(LedgerContents.mostDeliveries)
        try? update(now: now)
    }

    /// Removes what the file, its copy in memory, and a damaged copy beside the file keep about an account, or
    /// everything. Returns when the disk has it.
    /// - Throws: ``StoreError/Code/systemError`` if the file can't be replaced. Even then, memory no longer has the
    ///   records.
    func erase(account: String?, now: Date) throws(StoreError) {
        contents.erase(account: account)
        unwritten.removeAll { $0.isAbout(account) }
        // Updating a damaged file makes a copy. A copy can also be what is left of an earlier one.
        defer { unlink(file.copy.path) }
        guard access(ledger.url.path, F_OK) == 0 else { return }
        try update(now: now) { $0.erase(account: account) }
    }

    /// Reads the file, which another store may have changed, and replaces it.
    private func update(now: Date, _ change: (inout LedgerContents) -> Void = { _ in }) throws(StoreError) {
        do throws(StoreError) {
            let lock = try lock()
            defer {
                // Closing isn't enough: a process that the app is starting has a copy of the descriptor for a moment.
                _ = flock(lock, LOCK_UN)
                close(lock)
            }
            // What isn't in the file any more is restored from memory.
            var new = contents
            let reading = try read()
            if case .contents(let read) = reading { new = read }
            if let version = new.laterVersion {
                isLoaded = true
                throw laterVersion(version)
            }
            change(&new)
            for record in unwritten { new.apply(record) }
            new.prune(now: now)
            try ledger.willPerform(.write).get()
            if case .damaged = reading { try file.setAside() }
            guard let data = try? JSONEncoder().encode(new) else { throw file.failure("can't be encoded") }
            try file.replace(with: data, isLasting: true) { () throws(StoreError) in
                try ledger.willPerform(.replace).get()
            }
            known = (data, new)
            try ledger.willPerform(.written).get()
            (contents, unwritten, failure, isLoaded) = (new, [], nil, true)
        } catch {
            failure = error
            throw error
        }
    }

    private func read() throws(StoreError) -> Reading {
        guard let data = try file.read(), !data.isEmpty else { return .missing }
        if let known, known.data == data { return .contents(known.contents) }
        guard data.count <= StoredFile.largestSize,
            let contents = (try? JSONDecoder().decode(LedgerContents.self, from: data)) ?? LedgerContents(lines: data)
        else { return .damaged }
        known = (data, contents)
        return .contents(contents)
    }

    private func laterVersion(_ version: Int) -> StoreError {
        file.failure("has version \(version), which only a later version of AsyncStoreKit can write")
    }

    /// Locks the ledger, until the descriptor is unlocked or the process ends.
    ///
    /// The lock is on a separate file, because the ledger's file is replaced.
    private func lock() throws(StoreError) -> Int32 {
        try? FileManager.default.createDirectory(
            at: ledger.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let descriptor = StoreFile.openForWriting(ledger.url.path + ".lock", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw file.failure("can't be locked", errno) }
        do throws(StoreError) {
            for _ in 0...Self.longestLockWait {
                try ledger.willPerform(.lock).get()
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
                // Another store on the device writes for a few milliseconds. A longer wait would hold up a purchase.
                usleep(1_000)
            }
            throw file.failure("is being written by another process")
        } catch {
            close(descriptor)
            throw error
        }
    }
}
