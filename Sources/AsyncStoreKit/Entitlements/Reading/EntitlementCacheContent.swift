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
