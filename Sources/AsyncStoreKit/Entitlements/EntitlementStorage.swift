import AppReceipt
import Foundation

/// What is kept in an ``EntitlementCache``: signed texts, line by line, and their verification when they are loaded.
///
/// The first line names the format and its version, the last one says how many there are in between. A line is `t` or
/// `r` (transaction, renewal), a space, and the text. Whatever does not verify is left out; the rest counts. Earlier
/// versions of this package also wrote the app transaction, in a line with `a`: it is verified, and says nothing
/// about who the customer is.
///
/// The transactions identify the customer. A file with transactions of several customers is refused.
final class EntitlementStorage: Sendable {
    private let cache: any EntitlementCache
    private let saved = Locked<Data?>(nil)

    private static let name = "AsyncStoreKit entitlements"
    private static let version = 1
    /// More than a customer's entitlements need, in bytes.
    private static let longest = 16 * 1_024 * 1_024
    /// More than Apple signs about a transaction, in bytes.
    fileprivate static let longestLine = 64 * 1_024

    init(_ cache: any EntitlementCache) {
        self.cache = cache
    }

    /// Keeps what decides about the customer's entitlements.
    func save(_ history: EntitlementHistory) throws {
        let data = Self.encode(history)
        guard saved.withLock({ $0 }) != data else { return }
        try cache.save(data)
        saved.withLock { $0 = data }
    }

    /// What was kept, as far as it is genuine, and this app's and this device's.
    func load(_ trust: HistoryTrust) -> (EntitlementHistory, Set<StoreEntitlements.Doubt>) {
        do {
            guard let data = try cache.load() else { return (EntitlementHistory(), []) }
            return Self.decode(data, trust)
        } catch {
            return (EntitlementHistory(), [.cacheRefused("The file can't be read: \(error)")])
        }
    }

    static func encode(_ history: EntitlementHistory) -> Data {
        var lines: [String] = []
        lines += history.transactions.compactMap { $0.jws.map { "t " + $0 } }
        lines += history.renewals.compactMap { $0.jws.map { "r " + $0 } }
        // In an order of its own: what is read in another order has not changed.
        lines = lines.inOrder(by: <)
        return Data((["\(name) \(version)"] + lines + ["end \(lines.count)", ""]).joined(separator: "\n").utf8)
    }

    static func decode(_ data: Data, _ trust: HistoryTrust) -> (EntitlementHistory, Set<StoreEntitlements.Doubt>) {
        var history = EntitlementHistory()
        guard data.count <= longest else { return (history, [.cacheRefused("The file has \(data.count) bytes.")]) }
        // Compared byte by byte: comparing strings takes time in the square of the length for some contents.
        var body = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        let header = Data("\(name) ".utf8)
        guard let first = body.first, first.starts(with: header), first.count < header.count + 10,
            let version = Int(String(decoding: first.dropFirst(header.count), as: UTF8.self))
        else { return (history, [.cacheRefused("The file isn't an entitlement cache.")]) }
        guard version == Self.version else { return (history, [.cacheRefused("The file has version \(version).")]) }
        body.removeFirst()
        var reasons: [String] = []
        if let last = body.last, last.elementsEqual("end \(body.count - 1)".utf8) {
            body.removeLast()
        } else {
            reasons.append("The end of the file is missing.")
        }
        let verifier = SignedTransactionVerifier(
            bundleID: trust.bundleID, environment: nil, deviceVerificationID: trust.deviceVerificationID,
            trustAnchors: trust.signatureAnchors)
        for line in body { history.add(line, verifier, &reasons) }
        let originals = Set(history.transactions.map(\.value.originalTransactionID))
        for line in body { history.addRenewal(line, verifier, originals, &reasons) }
        if history.transactions.haveSeveralCustomers {
            return (EntitlementHistory(), [.cacheRefused("The file has transactions of several customers.")])
        }
        history.customerID = history.transactions.customerID
        return (history, Set(reasons.prefix(1).map { .cacheRefused($0) }))
    }
}

extension EntitlementHistory {
    /// A line of the file: what kind of text it has, and the text.
    private static func parts(_ line: Data) -> (kind: UInt8?, text: String) {
        guard line.count > 2, line.count <= EntitlementStorage.longestLine, line[line.startIndex + 1] == UInt8(ascii: " ") else {
            return (nil, "")
        }
        return (line.first, String(decoding: line.dropFirst(2), as: UTF8.self))
    }

    /// Adds a transaction if it is genuine.
    fileprivate mutating func add(_ line: Data, _ verifier: SignedTransactionVerifier, _ reasons: inout [String]) {
        let (kind, text) = Self.parts(line)
        do throws(ReceiptVerificationError) {
            switch kind {
            case UInt8(ascii: "t")?:
                let transaction = try verifier.transaction(jws: text)
                transactions.append(SignedStatement(ReceiptTransaction(transaction), text: { text }))
                note(signed: transaction.signedDate)
            case UInt8(ascii: "a")?: note(signed: try verifier.appTransaction(jws: text).signedDate)
            case UInt8(ascii: "r")?: break
            default: reasons.append("The file has an unknown line.")
            }
        } catch {
            reasons.append("The file has a text that isn't accepted: \(error)")
        }
    }

    /// Adds what a line says of a subscription, if it is genuine and one of the transactions belongs to the subscription.
    fileprivate mutating func addRenewal(
        _ line: Data, _ verifier: SignedTransactionVerifier, _ originals: Set<String>, _ reasons: inout [String]
    ) {
        let (kind, text) = Self.parts(line)
        guard kind == UInt8(ascii: "r") else { return }
        do throws(ReceiptVerificationError) {
            // A renewal names no app. It's this app's if it was signed for this device, and one of the transactions is of
            // the same subscription.
            var anyApp = verifier
            anyApp.bundleID = .any
            guard let info = try anyApp.payload(jws: text).renewalInfo, let renewal = ReceiptRenewal(info),
                originals.contains(info.originalTransactionID)
            else { return reasons.append("The file has a renewal without a matching transaction.") }
            renewals.append(SignedStatement(renewal, text: { text }))
            note(signed: info.signedDate)
        } catch {
            reasons.append("The file has a text that isn't accepted: \(error)")
        }
    }
}
