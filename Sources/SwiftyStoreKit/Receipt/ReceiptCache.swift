import Foundation

/// The receipt dictionaries read last, so that a further question to one of them does not read it anew.
///
/// A dictionary is known again by the objects in it, which are kept alive here and cannot change; one with objects that can is
/// read for every question. The last few lists that were asked are kept for the life of the process.
// @unchecked because: `known` is only touched while `lock` is held.
package final class ReceiptCache: @unchecked Sendable {
    static let shared = ReceiptCache()

    private let capacity: Int
    private let lock = NSLock()
    /// The one asked last first.
    private var known: [Entry] = []

    package init(capacity: Int = 4) {
        self.capacity = capacity
    }

    /// How many lists are kept.
    package var count: Int { lock.withLock { known.count } }

    /// The list in `info`; `nil` when it has none. Callers at the same time share one reading.
    package func reading(of list: ReceiptInfoList, in info: ReceiptInfo) -> ReceiptReading? {
        let sources = list.sources(in: info).map(\.object)
        guard !sources.isEmpty, sources.allSatisfy(ReceiptInfoText.isImmutable) else { return Entry.read(list, info).reading }
        let entry = entry(for: list, sources)
        let (reading, isImmutable) = entry.reading(of: info)
        if !isImmutable { forget(entry) }
        return reading
    }

    private func entry(for list: ReceiptInfoList, _ sources: [AnyObject]) -> Entry {
        lock.withLock {
            let entry: Entry
            if let place = known.firstIndex(where: { $0.isOf(list, sources) }) {
                entry = known.remove(at: place)
            } else {
                entry = Entry(list, sources)
            }
            known.insert(entry, at: 0)
            if known.count > capacity { known.removeLast() }
            return entry
        }
    }

    private func forget(_ entry: Entry) {
        lock.withLock { known.removeAll { $0 === entry } }
    }
}

extension ReceiptCache {
    /// A list that has been asked for, and what was read.
    // @unchecked because: `result` is only touched while `lock` is held, and `sources` are compared by identity only.
    private final class Entry: @unchecked Sendable {
        private let list: ReceiptInfoList
        private let sources: [AnyObject]
        private let lock = NSLock()
        private var result: (reading: ReceiptReading?, isImmutable: Bool)?

        init(_ list: ReceiptInfoList, _ sources: [AnyObject]) {
            self.list = list
            self.sources = sources
        }

        func isOf(_ list: ReceiptInfoList, _ sources: [AnyObject]) -> Bool {
            self.list == list && self.sources.elementsEqual(sources, by: ===)
        }

        func reading(of info: ReceiptInfo) -> (reading: ReceiptReading?, isImmutable: Bool) {
            lock.withLock {
                if let result, result.isImmutable { return result }
                let read = Self.read(list, info)
                result = read
                return read
            }
        }

        static func read(_ list: ReceiptInfoList, _ info: ReceiptInfo) -> (reading: ReceiptReading?, isImmutable: Bool) {
            let (receipt, isImmutable) = list.read(info)
            return (receipt.map(ReceiptReading.init), isImmutable)
        }
    }
}
