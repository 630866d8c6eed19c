import Foundation

/// The downloads of the transactions in the queue.
struct DownloadsState {
    private struct Record {
        var value: SimulatedDownload
        /// The completed steps, in tenths.
        var steps = 0
        /// Changes with each state, so that timers of an earlier state have no effect.
        var generation: UInt64 = 0
    }

    /// The download speed, in bytes per second of the virtual clock.
    static let bytesPerSecond: Double = 1_000_000
    /// The number of steps in which a download is reported.
    static let stepCount = 10

    private var records: [SimulatedDownload.ID: Record] = [:]
    private var lastIdentifier: UInt64 = 0
    private let files = ContentFiles()

    func value(_ id: SimulatedDownload.ID) -> SimulatedDownload? {
        records[id]?.value
    }

    func values(of ids: [SimulatedDownload.ID]) -> [SimulatedDownload] {
        ids.compactMap { records[$0]?.value }
    }

    func generation(of id: SimulatedDownload.ID) -> UInt64 {
        records[id]?.generation ?? 0
    }

    mutating func make(_ content: SimulatedHostedContent, for transaction: SimulatedTransaction.ID)
        -> SimulatedDownload.ID
    {
        lastIdentifier += 1
        let id = SimulatedDownload.ID(rawValue: lastIdentifier)
        records[id] = Record(value: SimulatedDownload(id: id, transactionID: transaction, content: content))
        return id
    }

    /// Returns the time between two steps, in seconds.
    func interval(of id: SimulatedDownload.ID) -> TimeInterval {
        guard let record = records[id] else { return 0 }
        return max(0, Double(record.value.content.contentLength)) / Self.bytesPerSecond / Double(Self.stepCount)
    }

    /// Moves a download to another state. Returns `false` if the download isn't in one of the given states.
    mutating func move(
        _ id: SimulatedDownload.ID, from states: Set<SimulatedDownload.State>, to state: SimulatedDownload.State,
        error: SimulatedError? = nil
    ) -> Bool {
        guard var record = records[id], states.contains(record.value.state) else { return false }
        if record.value.state == .failed {
            record.steps = 0
            record.value.progress = 0
        }
        record.generation += 1
        record.value.state = state
        record.value.error = error
        records[id] = record
        updateTimeRemaining(id)
        return true
    }

    /// Advances a download by a step. Returns `false` for a step of an earlier generation.
    mutating func progress(_ id: SimulatedDownload.ID, generation: UInt64) -> Bool {
        guard var record = records[id], record.generation == generation, record.value.state == .active else {
            return false
        }
        record.steps += 1
        record.value.progress = Float(record.steps) / Float(Self.stepCount)
        if record.steps >= Self.stepCount {
            do {
                record.value.contentURL = try files.make(
                    "content-\(id.rawValue)", size: record.value.content.contentLength)
                record.value.state = .finished
            } catch {
                record.value.state = .failed
                record.value.error = SimulatedError(code: 0, message: "The content cannot be stored: \(error)")
            }
        }
        records[id] = record
        updateTimeRemaining(id)
        return true
    }

    /// Removes downloads and deletes their files.
    mutating func discard(_ ids: [SimulatedDownload.ID]) {
        for id in ids {
            if let url = records.removeValue(forKey: id)?.value.contentURL {
                files.remove(url)
            }
        }
    }

    mutating func discardAll() {
        discard(Array(records.keys))
    }

    private mutating func updateTimeRemaining(_ id: SimulatedDownload.ID) {
        guard let record = records[id] else { return }
        let timeRemaining: TimeInterval? =
            switch record.value.state {
            case .active: interval(of: id) * Double(Self.stepCount - record.steps)
            case .finished: 0
            case .waiting, .paused, .failed, .cancelled: nil
            }
        records[id]?.value.timeRemaining = timeRemaining
    }
}

/// The files of hosted content, in a temporary directory that is deleted with the store.
// @unchecked because: the object is accessed only under the lock of its store; the directory never changes.
final class ContentFiles: @unchecked Sendable {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "AppStoreSimulator-\(UUID().uuidString)", isDirectory: true)
    private var exists = false

    deinit {
        if exists {
            try? FileManager.default.removeItem(at: directory)
        }
    }

    /// Creates a sparse file of a size, which uses no disk space.
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
