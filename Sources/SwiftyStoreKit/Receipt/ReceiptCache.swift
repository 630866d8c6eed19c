import AsyncStoreKit
import Foundation

/// Caches the most recently parsed receipt dictionaries.
///
/// A dictionary is identified by its immutable objects, which the cache keeps alive. A dictionary with mutable objects
/// is parsed for every question. The cache keeps the most recently used lists for the life of the process.
package final class ReceiptCache: Sendable {
    static let shared = ReceiptCache()

    private let capacity: Int
    /// The cached lists, most recently used first.
    private let known = Locked<[Entry]>([])

    package init(capacity: Int = 4) {
        self.capacity = capacity
    }

    /// The number of cached lists.
    package var count: Int { known.withLock { $0.count } }

    /// Returns the parsed list of `info`, or `nil` without such a list. Concurrent calls share one parse.
    package func reading(of list: ReceiptInfoList, in info: ReceiptInfo) -> ReceiptReading? {
        let sources = list.sources(in: info).map(\.object)
        guard !sources.isEmpty, sources.allSatisfy(ReceiptInfoText.isImmutable) else {
            return Entry.read(list, info).reading
        }
        let entry = entry(for: list, sources)
        let (reading, isImmutable) = entry.reading(of: info)
        if !isImmutable { remove(entry) }
        return reading
    }

    private func entry(for list: ReceiptInfoList, _ sources: [AnyObject]) -> Entry {
        known.withLock { known in
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

    private func remove(_ entry: Entry) {
        known.withLock { known in known.removeAll { $0 === entry } }
    }
}

extension ReceiptCache {
    /// A list and its parsed result.
    // @unchecked because: `sources` are compared only by identity.
    private final class Entry: @unchecked Sendable {
        private let list: ReceiptInfoList
        private let sources: [AnyObject]
        private let result = Locked<(reading: ReceiptReading?, isImmutable: Bool)?>(nil)

        init(_ list: ReceiptInfoList, _ sources: [AnyObject]) {
            self.list = list
            self.sources = sources
        }

        func isOf(_ list: ReceiptInfoList, _ sources: [AnyObject]) -> Bool {
            self.list == list && self.sources.elementsEqual(sources, by: ===)
        }

        func reading(of info: ReceiptInfo) -> (reading: ReceiptReading?, isImmutable: Bool) {
            result.withLock { result in
                if let result, result.isImmutable { return result }
                let read = Self.read(list, info)
                result = read
                return read
            }
        }

        static func read(_ list: ReceiptInfoList, _ info: ReceiptInfo) -> (reading: ReceiptReading?, isImmutable: Bool)
        {
            let (receipt, isImmutable) = list.read(info)
            return (receipt.map(ReceiptReading.init), isImmutable)
        }
    }
}
