import AppReceipt
import Foundation

/// Saves evidence in an ``EntitlementCache``, and loads it.
///
/// Without an app, an environment, and a device, nothing is saved, and nothing that was saved is accepted.
final class EntitlementStorage: Sendable {
    private let cache: any EntitlementCache
    /// The seconds after which a later confirmation is saved, even if nothing else has changed.
    private let confirmationInterval: TimeInterval
    private let saved = Locked<EntitlementCacheContent?>(nil)

    /// - Parameter lifetime: How long unconfirmed access lasts, in seconds.
    init(_ cache: any EntitlementCache, lifetime: TimeInterval = 35 * 86_400) {
        self.cache = cache
        confirmationInterval = max(0, min(86_400, lifetime / 30))
    }

    /// Saves evidence, unless the cache has it.
    /// - Returns: Whether the cache has other texts now.
    func save(_ history: PurchaseListing, _ trust: HistoryTrust, at now: Date) throws -> Bool {
        guard let seal = EntitlementCacheSeal(trust) else { return false }
        let content = EntitlementCacheContent(history, savedDate: now)
        let known = saved.withLock { $0 }
        if let known, content.isEquivalent(to: known, within: confirmationInterval) { return false }
        try cache.save(content.encoded(with: seal))
        saved.withLock { $0 = content }
        return known.map { !$0.hasSamePurchases(as: content) } ?? true
    }

    /// Erases the cache. The next evidence is saved again, as the device reports it.
    func erase() throws {
        saved.withLock { $0 = nil }
        try cache.erase()
    }

    /// Returns the evidence in the cache that Apple signed for this app, in this environment, on this device; `nil` if
    /// the cache can't be read.
    func load(_ trust: HistoryTrust) -> (PurchaseListing?, Set<StoreEntitlements.Issue>) {
        let data: Data?
        do {
            data = try cache.load()
        } catch {
            return (nil, [.cacheRefused("The file can't be read: \(error.nameForLog)")])
        }
        guard let data, !data.isEmpty else { return (PurchaseListing(), []) }
        let (history, issues) = Self.decode(data, trust)
        if issues.isEmpty, let savedDate = history.savedDate {
            saved.withLock { $0 = EntitlementCacheContent(history, savedDate: savedDate) }
        }
        return (history, issues)
    }

    static func decode(_ data: Data, _ trust: HistoryTrust) -> (PurchaseListing, Set<StoreEntitlements.Issue>) {
        var decoder: EntitlementCacheDecoder
        do throws(StoreError) {
            decoder = try EntitlementCacheDecoder(trust)
            try decoder.decode(data)
        } catch {
            return (PurchaseListing(), [.cacheRefused(error.message)])
        }
        return (decoder.history, Set(decoder.refusal.map { [.cacheRefused($0)] } ?? []))
    }
}

/// Reads the content of an entitlement cache, and verifies it.
///
/// What isn't accepted is left out; the rest is used. Without a valid seal, a text is accepted only if it names the
/// customer, and the newest signature is the last confirmation.
struct EntitlementCacheDecoder {
    /// The number of refused lines after which the rest is skipped. Each of these lines costs a signature check.
    private static let mostRefusals = 100

    private let verifier: SignedTransactionVerifier
    private let seal: EntitlementCacheSeal
    private let process: String?
    private(set) var history = PurchaseListing()
    /// The reason for the first refusal, in a sentence.
    private(set) var refusal: String?
    private var refusals = 0
    private var isSealed = false

    /// - Throws: An error that names the missing fact about the app or the device.
    init(_ trust: HistoryTrust) throws(StoreError) {
        guard let bundleID = trust.bundleID else { throw Self.refused("The app's bundle identifier isn't known.") }
        guard let environment = trust.environment else { throw Self.refused("The app's environment isn't known.") }
        guard let device = trust.deviceVerificationID, let seal = EntitlementCacheSeal(trust) else {
            throw Self.refused("The device's identifier isn't known.")
        }
        verifier = SignedTransactionVerifier(
            bundleID: .exactly(bundleID), environment: environment, deviceVerificationID: device,
            trustAnchors: trust.signatureAnchors)
        self.seal = seal
        process = trust.processBundleID == bundleID ? nil : trust.processBundleID
    }

    private static func refused(_ reason: String) -> StoreError { StoreError(.unverified, reason) }

    /// - Throws: The error for a file that is refused as a whole.
    mutating func decode(_ data: Data) throws(StoreError) {
        guard data.count <= EntitlementCacheContent.longest else {
            throw Self.refused("The file has \(data.count) bytes.")
        }
        let bytes = Array(data)
        var body = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        try Self.checkVersion(body.first)
        body.removeFirst()
        isSealed = seal.isValid(bytes)
        if let last = body.last, last.starts(with: "seal ".utf8) { body.removeLast() }
        // A line costs the check of a signature, even if the same line is in the file a thousand times.
        var known: Set<ArraySlice<UInt8>> = []
        body.removeAll { !known.insert($0).inserted }
        for line in body where refusals < Self.mostRefusals { addLine(line) }
        let originals = Set(history.transactions.map(\.facts.originalTransactionID))
        for line in body where refusals < Self.mostRefusals { addRenewal(line, originals) }
        if history.transactions.haveSeveralCustomers {
            history = PurchaseListing()
            throw Self.refused("The file has transactions of several customers.")
        }
        history.customerID = history.transactions.customerID ?? history.customerID
        if !isSealed { refuse("The file was changed after it was saved.") }
    }

    private static func checkVersion(_ line: ArraySlice<UInt8>?) throws(StoreError) {
        let header = Array("\(EntitlementCacheContent.name) ".utf8)
        guard let line, line.starts(with: header), line.count < header.count + 10,
            let version = Int(String(decoding: line.dropFirst(header.count), as: UTF8.self))
        else { throw refused("The file isn't an entitlement cache.") }
        guard version == EntitlementCacheContent.version else { throw refused("The file has version \(version).") }
    }

    /// Keeps the first reason, shortened, because an error can repeat a text of any length.
    private mutating func refuse(_ reason: String) {
        refusals += 1
        if refusal == nil { refusal = String(decoding: reason.utf8.prefix(500), as: UTF8.self) }
    }

    private mutating func refuse(_ error: ReceiptVerificationError) {
        let process = error.code == .bundleIDMismatch ? process.map { " This process is \($0)." } : nil
        refuse("The file has a text that isn't accepted: \(error)" + (process ?? ""))
    }

    /// Returns the rest of a line after its first word.
    private static func text(_ word: String, _ line: ArraySlice<UInt8>, longest: Int) -> String? {
        guard line.count <= longest, line.count > word.utf8.count, line.starts(with: word.utf8) else { return nil }
        return String(decoding: line.dropFirst(word.utf8.count), as: UTF8.self)
    }

    private static func date(_ word: String, _ line: ArraySlice<UInt8>) -> Date? {
        text(word, line, longest: 40).flatMap { Int64($0) }.map {
            Date(timeIntervalSince1970: TimeInterval($0) / 1_000)
        }
    }

    private static func text(_ kind: String, _ line: ArraySlice<UInt8>) -> String? {
        text(kind, line, longest: EntitlementCacheContent.longestLine)
    }

    private mutating func addLine(_ line: ArraySlice<UInt8>) {
        do throws(ReceiptVerificationError) {
            if let text = Self.text("t ", line) {
                try addTransaction(text)
            } else if Self.text("r ", line) != nil {
                // Renewal information waits for its transaction.
            } else if !addFact(line) {
                refuse("The file has an unknown line.")
            }
        } catch {
            refuse(error)
        }
    }

    /// Adds a fact that the app has recorded. Facts are read from a sealed file only.
    /// - Returns: Whether the line is a fact.
    private mutating func addFact(_ line: ArraySlice<UInt8>) -> Bool {
        if let customer = Self.text("customer ", line, longest: 200) {
            if isSealed { history.customerID = customer }
        } else if let date = Self.date("confirmed ", line) {
            if isSealed { history.confirmedDate = date }
        } else if let date = Self.date("saved ", line) {
            if isSealed { history.savedDate = date }
        } else {
            return false
        }
        return true
    }

    private mutating func addTransaction(_ text: String) throws(ReceiptVerificationError) {
        let transaction = try verifier.transaction(jws: text)
        let row = transaction.facts
        guard isSealed || row.appTransactionID != nil && !row.isPaidByOthers else {
            return refuse("The file has a text that doesn't name the customer, and the file has no valid seal.")
        }
        history.transactions.append(VerifiedTransaction(transaction, text: { text }))
        history.addSignedDate(transaction.signedDate)
    }

    /// Adds the renewal information of a line, if Apple signed it and one of the transactions belongs to the
    /// subscription.
    private mutating func addRenewal(_ line: ArraySlice<UInt8>, _ originals: Set<String>) {
        guard let text = Self.text("r ", line) else { return }
        do throws(ReceiptVerificationError) {
            // A renewal names no app. It's this app's if it was signed for this device, and one of the transactions is
            // of the same subscription.
            var anyApp = verifier
            anyApp.bundleID = .any
            guard let info = try anyApp.payload(jws: text).renewalInfo,
                originals.contains(info.originalTransactionID)
            else { return refuse("The file has a renewal without a matching transaction.") }
            history.renewals.append(VerifiedRenewal(info, text: { text }))
            history.addSignedDate(info.signedDate)
        } catch {
            refuse(error)
        }
    }
}
