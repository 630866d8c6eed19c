import AppReceipt
import Foundation

/// The content of a delivery ledger's file: a header with the version of the format, and one record per line.
///
/// Records are only appended. If there are too many lines, a new file with the records that are still needed replaces
/// the old one. A line with a wrong checksum is skipped, so that a damaged line costs one record.
struct LedgerContents: Sendable {
    /// How a file begins.
    enum Header: Sendable, Hashable {
        case missing, current
        /// A later version of this package wrote the file.
        case version(Int)
        /// The file isn't a delivery ledger, or its beginning is damaged.
        case foreign
    }

    /// How many purchases are kept.
    static let mostDeliveries = 10_000
    /// How long a purchase is kept after its delivery, in seconds: 400 days, until another purchase is that much newer.
    static let longestAge: TimeInterval = 400 * 86_400
    /// How many purchases are kept at any age.
    static let fewestDeliveries = 100
    /// How many records of later versions are kept.
    static let mostOthers = 1_000
    private static let name = "AsyncStoreKit deliveries "
    private static let version = 1

    /// The first line of a file.
    /// - Parameter generation: Distinguishes the file from the files that it replaced. Any text without spaces.
    static func header(generation: String) -> String { "\(name)\(version) \(generation)\n" }

    /// The purchases that were delivered, by their keys.
    private(set) var deliveries = [String: DeliveredPurchase]()
    /// The contexts of purchases that aren't delivered yet, by their identifiers.
    private(set) var contexts = [UUID: PurchaseContext]()
    /// The records of later versions, oldest first, without their checksums.
    private(set) var others: [String] = []
    /// How many lines were read or written since the file was last replaced.
    var lineCount = 0

    /// Whether the file has many more lines than records.
    var needsReplacement: Bool {
        lineCount > 2 * (min(deliveries.count, Self.mostDeliveries) + contexts.count + others.count) + 200
            || deliveries.count > Self.mostDeliveries + 1_000
    }

    mutating func apply(_ record: LedgerRecord) {
        switch record {
        case .delivered(let purchase): deliveries[purchase.key] = purchase
        case .context(.requested(let context)): contexts[context.id] = context
        case .context(.answered(let id, let key)): contexts[id]?.deliveryKey = key
        case .context(.ended(let id)): contexts[id] = nil
        case .unknown(let text): others = (others.filter { $0 != text } + [text]).suffix(Self.mostOthers)
        }
    }

    /// Removes what the file keeps about an account: the contexts of its purchases. Without an account, removes
    /// everything.
    mutating func erase(account: String?) {
        guard let account else {
            (deliveries, contexts, others) = ([:], [:], [])
            return
        }
        contexts = contexts.filter { $0.value.applicationUsername != account }
    }

    /// Reads complete lines.
    /// - Returns: How many lines were skipped because they are damaged.
    mutating func read(_ lines: ArraySlice<UInt8>) -> Int {
        var damaged = 0
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            lineCount += 1
            if let record = LedgerRecord(line: line) { apply(record) } else { damaged += 1 }
        }
        return damaged
    }

    /// Returns the kind of a file, according to its beginning.
    static func header(of start: [UInt8]) -> Header {
        guard !start.isEmpty else { return .missing }
        guard let end = start.firstIndex(of: UInt8(ascii: "\n")), start[..<end].starts(with: name.utf8),
            let number = Int(
                String(decoding: start[..<end].dropFirst(name.utf8.count).prefix { $0 != 0x20 }, as: UTF8.self)),
            number > 0
        else { return .foreign }
        return number == version ? .current : .version(number)
    }

    /// Drops the records that are too old.
    ///
    /// Ages are measured from the newest purchase, because the App Store dates purchases. Measured by the device, they
    /// would all be too old in a launch whose clock is ahead.
    mutating func prune(now: Date) {
        let latest = min(now, deliveries.values.compactMap(\.purchaseDate).max() ?? now)
        let newestFirst = deliveries.values.inOrder { ($0.latestDate, $0.key) > ($1.latestDate, $1.key) }
        let kept = newestFirst.prefix(Self.mostDeliveries).enumerated().filter { place, purchase in
            place < Self.fewestDeliveries || latest.timeIntervalSince(purchase.latestDate) <= Self.longestAge
        }
        contexts = contexts.filter { latest.timeIntervalSince($0.value.requestDate) <= PurchaseContext.longestAge }
        guard kept.count < deliveries.count else { return }
        deliveries = Dictionary(kept.map { ($0.element.key, $0.element) }, uniquingKeysWith: { first, _ in first })
    }

    /// The text of a whole file, oldest record first.
    func encoded(generation: String) -> [UInt8] {
        let oldestFirst = deliveries.values.inOrder { ($0.latestDate, $0.key) < ($1.latestDate, $1.key) }
        let requested = contexts.values.inOrder {
            ($0.requestDate, $0.id.uuidString) < ($1.requestDate, $1.id.uuidString)
        }
        let records =
            oldestFirst.map(LedgerRecord.delivered) + requested.map { .context(.requested($0)) }
            + others.map(LedgerRecord.unknown)
        return Array((Self.header(generation: generation) + Self.text(of: records)).utf8)
    }

    static func text(of records: [LedgerRecord]) -> String {
        records.map { $0.line + "\n" }.joined()
    }
}

extension DeliveredPurchase {
    /// The later one of the dates: a purchase isn't delivered before it's paid, whatever the device's clock said.
    fileprivate var latestDate: Date { purchaseDate.map { max($0, deliveryDate) } ?? deliveryDate }
}
