import AppReceipt
import Foundation

/// What the file of a delivery ledger keeps.
struct LedgerContents: Sendable, Equatable {
    /// How many purchases are kept.
    static let mostDeliveries = 2_000
    /// The version of the file. A change that this version can't read needs another number.
    static let version = 2

    private(set) var deliveries = [String: DeliveredPurchase]()
    /// The contexts of purchases that aren't delivered yet, by their identifiers.
    private(set) var contexts = [UUID: PurchaseContext]()
    /// The version of the file, if a later version of this package wrote it.
    private(set) var laterVersion: Int?

    mutating func apply(_ record: LedgerRecord) {
        switch record {
        case .delivered(let purchase): deliveries[purchase.key] = purchase
        case .requested(let context): contexts[context.id] = context
        case .answered(let id, let key): contexts[id]?.deliveryKey = key
        case .ended(let id): contexts[id] = nil
        }
    }

    /// Removes the contexts of an account's purchases. Without an account, removes everything.
    mutating func erase(account: String?) {
        if account == nil { deliveries = [:] }
        contexts = contexts.filter { account != nil && $0.value.applicationUsername != account }
    }

    /// Drops the oldest purchases if there are too many, and contexts that are too old.
    ///
    /// Ages are measured from the newest purchase, because the App Store dates purchases. Measured by the device, all
    /// contexts would be too old in a launch whose clock is ahead.
    mutating func prune(now: Date) {
        let latest = min(now, deliveries.values.compactMap(\.purchaseDate).max() ?? now)
        contexts = contexts.filter { latest.timeIntervalSince($0.value.requestDate) <= PurchaseContext.longestAge }
        guard deliveries.count > Self.mostDeliveries else { return }
        let newestFirst = deliveries.values.inOrder { ($0.latestDate, $0.key) > ($1.latestDate, $1.key) }
        deliveries = Dictionary(
            newestFirst.prefix(Self.mostDeliveries).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension LedgerContents: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, deliveries, contexts
    }

    /// A context in the file. The public value isn't Codable, so that the file can change without it.
    private struct StoredContext: Codable {
        let id: UUID
        let productID: String
        let requestDate: Int64
        let json: Data
        let applicationUsername: String?
        let deliveryKey: String?
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let version = try fields.decode(Int.self, forKey: .version)
        laterVersion = version > Self.version ? version : nil
        do {
            for text in try fields.decode([String].self, forKey: .deliveries) {
                guard let purchase = DeliveredPurchase(text: text) else { throw CocoaError(.coderReadCorrupt) }
                deliveries[purchase.key] = purchase
            }
            for context in try fields.decode([StoredContext].self, forKey: .contexts)
            where context.json.count <= PurchaseContext.largestSize {
                contexts[context.id] = PurchaseContext(
                    id: context.id, productID: context.productID,
                    requestDate: Date(milliseconds: context.requestDate), json: Array(context.json),
                    applicationUsername: context.applicationUsername, deliveryKey: context.deliveryKey)
            }
        } catch {
            // A later version may keep other values under these names.
            guard laterVersion != nil else { throw error }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(Self.version, forKey: .version)
        try fields.encode(deliveries.values.map(\.text), forKey: .deliveries)
        try fields.encode(
            contexts.values.map { context in
                StoredContext(
                    id: context.id, productID: context.productID, requestDate: context.requestDate.milliseconds,
                    json: Data(context.json), applicationUsername: context.applicationUsername,
                    deliveryKey: context.deliveryKey)
            }, forKey: .contexts)
    }
}

// Files of versions before 1.0.
extension LedgerContents {
    /// Reads a file with one record per line, as versions before 1.0 wrote it. Returns `nil` for any other file.
    init?(lines data: Data) {
        guard data.starts(with: "AsyncStoreKit deliveries 1".utf8) else { return nil }
        // A line without its end was cut when a process ended.
        for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().dropFirst() {
            // A checksum, a kind, and values in which some characters are escaped.
            let fields = String(decoding: line, as: UTF8.self)
                .split(separator: " ", omittingEmptySubsequences: false).dropFirst().map {
                    $0.removingPercentEncoding ?? ""
                }
            switch (fields.first, fields.count) {
            case ("d", 4):
                guard let purchase = DeliveredPurchase(text: fields[1...].joined(separator: " ")) else { continue }
                apply(.delivered(purchase))
            case ("c", 7):
                guard let id = UUID(uuidString: fields[1]), let date = Date(milliseconds: fields[2]),
                    let json = Data(base64Encoded: fields[6])
                else { continue }
                let (account, key) = (fields[4], fields[5])
                contexts[id] = PurchaseContext(
                    id: id, productID: fields[3], requestDate: date, json: Array(json),
                    applicationUsername: account.hasPrefix("=") ? String(account.dropFirst()) : nil,
                    deliveryKey: key.hasPrefix("=") ? String(key.dropFirst()) : nil)
            case ("a", 3):
                guard let id = UUID(uuidString: fields[1]) else { continue }
                contexts[id]?.deliveryKey = fields[2]
            case ("e", 2):
                guard let id = UUID(uuidString: fields[1]) else { continue }
                contexts[id] = nil
            default: continue
            }
        }
    }
}

extension DeliveredPurchase {
    /// The delivery date, the purchase date, and the key. A text takes a quarter of the time of an array.
    fileprivate var text: String {
        "\(deliveryDate.milliseconds) \(purchaseDate.map { "\($0.milliseconds)" } ?? "-") \(key)"
    }

    fileprivate init?(text: String) {
        let fields = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let date = Date(milliseconds: fields[0]) else { return nil }
        self.init(key: String(fields[2]), purchaseDate: Date(milliseconds: fields[1]), deliveryDate: date)
    }

    /// The later one of the dates: a purchase isn't delivered before it's paid, whatever the device's clock said.
    fileprivate var latestDate: Date { purchaseDate.map { max($0, deliveryDate) } ?? deliveryDate }
}

extension Date {
    fileprivate init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    fileprivate init?(milliseconds text: some StringProtocol) {
        guard let milliseconds = Int64(text) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The time since 1970. A date before 1970 or after the year 9999 is brought into that range.
    fileprivate var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
        return milliseconds.isFinite ? Int64(min(max(0, milliseconds), 253_402_300_799_999)) : 0
    }
}
