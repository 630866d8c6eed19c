package import AppReceipt
import AsyncStoreKit
import Foundation

/// Reads the lists of receipt dictionaries, and caches the most recently read ones.
///
/// A dictionary is identified by its immutable objects, which the cache keeps alive. A dictionary with mutable objects
/// is read for every question. The cache keeps the lists for the life of the process.
package final class ReceiptReader: Sendable {
    static let shared = ReceiptReader()

    // @unchecked because: `sources` are compared only by identity.
    private struct Entry: @unchecked Sendable {
        let list: ReceiptInfoList
        let sources: [AnyObject]
        let receipt: Receipt?
    }

    private let capacity: Int
    /// The cached lists, most recently used first.
    private let known = Locked<[Entry]>([])

    package init(capacity: Int = 4) {
        self.capacity = capacity
    }

    /// The number of cached lists.
    package var count: Int { known.withLock { $0.count } }

    /// Returns a list of `info` as a receipt; `nil` without such a list. Concurrent calls share one reading.
    package func receipt(of list: ReceiptInfoList, in info: ReceiptInfo) -> Receipt? {
        let sources = list.sources(in: info).map(\.object)
        guard sources.allSatisfy(ReceiptInfoText.isImmutable) else { return list.read(info).receipt }
        return known.withLock { known in
            let place = known.firstIndex { $0.list == list && $0.sources.elementsEqual(sources, by: ===) }
            if let place {
                let entry = known.remove(at: place)
                known.insert(entry, at: 0)
                return entry.receipt
            }
            let (receipt, isImmutable) = list.read(info)
            if isImmutable, !sources.isEmpty {
                known = Array(([Entry(list: list, sources: sources, receipt: receipt)] + known).prefix(capacity))
            }
            return receipt
        }
    }
}
