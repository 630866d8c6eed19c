import AppReceipt
import Foundation

/// The content of an entitlement cache, line by line.
///
/// The first line names the format and its version. A line with `t` or `r` has a transaction or renewal information as
/// Apple signed it. The lines with `customer`, `confirmed`, and `saved` say whose purchases these are, when reads of
/// the device last confirmed them, and when the content was saved. The last line has the seal.
struct EntitlementCacheContent: Sendable {
    static let name = "AsyncStoreKit entitlements"
    static let version = 2
    /// More than a customer's entitlements need, in bytes.
    static let longest = 16 * 1_024 * 1_024
    /// More than Apple signs about a transaction, in bytes.
    static let longestLine = 64 * 1_024

    private let transactions: Set<VerifiedTransaction>
    private let renewals: Set<VerifiedRenewal>
    let customerID: String?
    let confirmedDate: Date?
    let savedDate: Date

    init(_ history: PurchaseListing, savedDate: Date) {
        transactions = Set(history.transactions.filter(\.isSigned))
        renewals = Set(history.renewals)
        customerID = history.customerID
        confirmedDate = history.confirmedDate
        self.savedDate = savedDate
    }

    /// Returns whether both say the same, even if Apple has signed one of them later.
    func hasSamePurchases(as other: EntitlementCacheContent) -> Bool {
        transactions == other.transactions && renewals == other.renewals
    }

    /// Returns whether the only difference to other content are newer signatures, and a confirmation that is later by
    /// less than a number of seconds.
    func isEquivalent(to other: EntitlementCacheContent, within seconds: TimeInterval) -> Bool {
        guard hasSamePurchases(as: other), customerID == other.customerID else { return false }
        guard let confirmedDate else { return true }
        return other.confirmedDate.map { abs(confirmedDate.timeIntervalSince($0)) < max(seconds, 0.001) } ?? false
    }

    func encoded(with seal: EntitlementCacheSeal) -> Data {
        var text = "\(Self.name) \(Self.version)\n"
        if let customerID { text += "customer \(customerID)\n" }
        if let confirmedDate { text += "confirmed \(Self.milliseconds(confirmedDate))\n" }
        text += "saved \(Self.milliseconds(savedDate))\n"
        var bytes = Array(text.utf8)
        // Sorted, so that the same texts in another order are the same file.
        let texts =
            transactions.compactMap { $0.jws.map { "t " + $0 } } + renewals.compactMap { $0.jws.map { "r " + $0 } }
        // Bytes and not strings: comparing strings takes time in the square of the length for some contents.
        for line in texts.map({ Array($0.utf8) }).inOrder(by: { $0.lexicographicallyPrecedes($1) }) {
            bytes += line + [UInt8(ascii: "\n")]
        }
        return Data(bytes + seal.line(over: bytes[...]) + [UInt8(ascii: "\n")])
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded(.down)) ?? 0
    }
}

/// Proves that the app saved a cache on this device, and that it is unchanged since.
///
/// The seal is SHA-384 over the content and the device's identifier, `AppStore.deviceVerificationID`. The identifier is
/// in no file: a signed text contains only a salted hash of it. A person who has access to the file can't compute a
/// seal.
struct EntitlementCacheSeal: Sendable {
    private static let word = "seal "
    /// The length of the line.
    static let length = word.utf8.count + 64

    private let key: [UInt8]

    /// - Returns: `nil` while the app, the environment, or the device isn't known.
    init?(_ trust: HistoryTrust) {
        guard let app = trust.bundleID, let environment = trust.environment, let device = trust.deviceVerificationID
        else { return nil }
        key = Array("\(device.uuidString.lowercased())\n\(environment.rawValue)\n\(app)\n".utf8)
    }

    /// Returns the last line for the content before it.
    func line(over content: ArraySlice<UInt8>) -> [UInt8] {
        Array((Self.word + Data(DigestAlgorithm.sha384.hash((key + content)[...])).base64EncodedString()).utf8)
    }

    /// Whether the last line of a file is the seal of everything before it.
    func isValid(_ bytes: [UInt8]) -> Bool {
        let start = bytes.endIndex - Self.length - 1
        guard start > 0, bytes.last == UInt8(ascii: "\n"), bytes[start - 1] == UInt8(ascii: "\n") else { return false }
        return bytes[start..<(bytes.endIndex - 1)] == line(over: bytes[..<start])[...]
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
