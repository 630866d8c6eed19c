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
    /// More than a customer can have, in bytes.
    private static let longest = 16 * 1_024 * 1_024

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
            return (EntitlementHistory(), [.cacheRefused("It cannot be read: \(error)")])
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
        guard data.count <= longest else { return (history, [.cacheRefused("It has \(data.count) bytes.")]) }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map { String(decoding: $0, as: UTF8.self) }
        let header = (lines.first ?? "").split(separator: " ").map(String.init)
        guard header.dropLast().joined(separator: " ") == name, let version = header.last.flatMap({ Int($0) }) else {
            return (history, [.cacheRefused("It is no cache of entitlements.")])
        }
        guard version == Self.version else { return (history, [.cacheRefused("It is of version \(version).")]) }
        var reasons: [String] = []
        var body = Array(lines.dropFirst())
        if body.last == "end \(body.count - 1)" { body.removeLast() } else { reasons.append("It does not end as it should.") }
        let verifier = SignedTransactionVerifier(
            bundleID: trust.bundleID, environment: nil, deviceVerificationID: trust.deviceVerificationID,
            trustAnchors: trust.signatureAnchors)
        for line in body { history.add(line, verifier, &reasons) }
        for line in body { history.addRenewal(line, verifier, &reasons) }
        if history.transactions.haveSeveralCustomers {
            return (EntitlementHistory(), [.cacheRefused("It has transactions of several customers.")])
        }
        history.customerID = history.transactions.customerID
        return (history, Set(reasons.prefix(1).map { .cacheRefused($0) }))
    }
}

extension EntitlementHistory {
    /// Adds a transaction if it is genuine.
    fileprivate mutating func add(_ line: String, _ verifier: SignedTransactionVerifier, _ reasons: inout [String]) {
        let text = String(line.dropFirst(2))
        do throws(ReceiptVerificationError) {
            switch line.prefix(2) {
            case "t ":
                let transaction = try verifier.transaction(jws: text)
                transactions.append(SignedStatement(ReceiptTransaction(transaction), text: { text }))
                note(signed: transaction.signedDate)
            case "a ":
                note(signed: try verifier.appTransaction(jws: text).signedDate)
            case "r ": break
            default: reasons.append("There is a line in it that is not known.")
            }
        } catch {
            reasons.append("A text in it is not accepted: \(error)")
        }
    }

    /// Adds what is said of a subscription, if that is genuine and the subscription's.
    fileprivate mutating func addRenewal(_ line: String, _ verifier: SignedTransactionVerifier, _ reasons: inout [String]) {
        guard line.hasPrefix("r ") else { return }
        let text = String(line.dropFirst(2))
        do throws(ReceiptVerificationError) {
            // It names no app: it is this app's when it was signed for this device, and belongs to a transaction that is.
            var anyApp = verifier
            anyApp.bundleID = .any
            guard let info = try anyApp.payload(jws: text).renewalInfo, let renewal = ReceiptRenewal(info),
                transactions.contains(where: { $0.value.originalTransactionID == info.originalTransactionID })
            else { return reasons.append("A renewal in it belongs to nothing.") }
            renewals.append(SignedStatement(renewal, text: { text }))
            note(signed: info.signedDate)
        } catch {
            reasons.append("A text in it is not accepted: \(error)")
        }
    }
}
