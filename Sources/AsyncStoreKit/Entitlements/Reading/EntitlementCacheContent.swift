import AppReceipt
import Foundation

/// The content of an entitlement cache: texts that Apple has signed, whose purchases they are, and two dates.
///
/// The first line of a file has the name of the format, its version, and the seal of the JSON object that follows.
struct EntitlementCacheContent: Sendable {
    /// The object in a file.
    private struct Object: Codable {
        var customer: String?
        /// When reads of the device last confirmed the purchases.
        var confirmed: Date?
        var saved: Date
        var transactions: [String]
        /// Transactions that say why access ended.
        var past: [String]?
        var renewals: [String]
    }

    private static let name = "AsyncStoreKit entitlements"
    private static let version = 3

    private let transactions: Set<VerifiedTransaction>
    private let past: Set<VerifiedTransaction>
    private let renewals: Set<VerifiedRenewal>
    private let customerID: String?
    private let confirmedDate: Date?
    private let savedDate: Date

    init(_ history: PurchaseListing, savedDate: Date) {
        transactions = Set(history.transactions.filter(\.isSigned))
        past = Set(history.past.filter(\.isSigned))
        renewals = Set(history.renewals)
        customerID = history.customerID
        confirmedDate = history.confirmedDate
        self.savedDate = savedDate
    }

    /// Returns whether both say the same, even if Apple has signed one of them later.
    func hasSamePurchases(as other: EntitlementCacheContent) -> Bool {
        (transactions, past) == (other.transactions, other.past) && renewals == other.renewals
    }

    /// Returns whether the only difference to other content are newer signatures, and a confirmation that is later by
    /// less than a number of seconds.
    func isEquivalent(to other: EntitlementCacheContent, within seconds: TimeInterval) -> Bool {
        guard hasSamePurchases(as: other), customerID == other.customerID else { return false }
        guard let confirmedDate else { return true }
        return other.confirmedDate.map { abs(confirmedDate.timeIntervalSince($0)) < max(seconds, 0.001) } ?? false
    }

    func encoded(with seal: EntitlementCacheSeal) throws -> Data {
        // Sorted, so that the same texts in another order are the same file.
        func sorted(_ texts: [String]) -> [String] { texts.inOrder { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let object = try encoder.encode(
            Object(
                customer: customerID, confirmed: confirmedDate, saved: savedDate,
                transactions: sorted(transactions.compactMap(\.jws)), past: sorted(past.compactMap(\.jws)),
                renewals: sorted(renewals.compactMap(\.jws))))
        return Data("\(Self.name) \(Self.version) \(seal.text(over: object))\n".utf8) + object
    }

    /// Returns the content of a file that this app has saved, in this environment, on this device.
    /// - Throws: ``StoreError/Code/unverified`` with the reason, in a sentence.
    static func decoded(_ data: Data, _ trust: HistoryTrust) throws(StoreError) -> PurchaseListing {
        guard let bundleID = trust.bundleID else { throw refused("The app's bundle identifier isn't known.") }
        guard let environment = trust.environment else { throw refused("The app's environment isn't known.") }
        guard let device = trust.deviceVerificationID, let seal = EntitlementCacheSeal(trust) else {
            throw refused("The device's identifier isn't known.")
        }
        guard data.count <= StoredFile.largestSize else { throw refused("The file has \(data.count) bytes.") }
        let line = data.prefix { $0 != UInt8(ascii: "\n") }.prefix(200)
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count >= 3, words[0..<2].joined(separator: " ") == name, let version = Int(words[2]) else {
            throw refused("The file isn't an entitlement cache.")
        }
        guard version == Self.version else { throw refused("The file has version \(version).") }
        let content = data.dropFirst(line.count + 1)
        guard words.count == 4, words[3] == seal.text(over: content) else {
            let process = trust.processBundleID.flatMap { $0 == bundleID ? nil : " in the process \($0)" } ?? ""
            throw refused(
                "The file was changed, or comes from another app, environment, or device. This is "
                    + "\(bundleID)\(process), \(environment.rawValue).")
        }
        let verifier = SignedTransactionVerifier(
            bundleID: .exactly(bundleID), environment: environment, deviceVerificationID: device,
            trustAnchors: trust.signatureAnchors)
        return try listing(content, verifier)
    }

    private static func listing(
        _ content: Data, _ verifier: SignedTransactionVerifier
    ) throws(StoreError) -> PurchaseListing {
        guard let object = try? JSONDecoder().decode(Object.self, from: content) else {
            throw refused("The file's object can't be read.")
        }
        var listing = PurchaseListing()
        // A renewal names no app. The seal does.
        var renewalVerifier = verifier
        renewalVerifier.bundleID = .any
        do throws(ReceiptVerificationError) {
            func verified(_ text: String) throws(ReceiptVerificationError) -> VerifiedTransaction {
                VerifiedTransaction(try verifier.transaction(jws: text), text: { text })
            }
            for text in object.transactions { listing.transactions.append(try verified(text)) }
            for text in object.past ?? [] { listing.past.append(try verified(text)) }
            for text in object.renewals {
                guard let renewal = try renewalVerifier.payload(jws: text).renewalInfo else { continue }
                listing.renewals.append(VerifiedRenewal(renewal, text: { text }))
            }
        } catch {
            throw refused("The file has a text that isn't accepted: \(error)")
        }
        listing = PurchaseListing(completing: listing)
        listing.customerID = listing.customerID ?? object.customer
        (listing.confirmedDate, listing.savedDate) = (object.confirmed, object.saved)
        return listing
    }

    private static func refused(_ reason: String) -> StoreError { StoreError(.unverified, reason) }
}

/// Proves that the app saved a cache on this device, and that it is unchanged since.
///
/// The seal is SHA-384 over the content and the device's identifier, `AppStore.deviceVerificationID`. The identifier is
/// in no file: a signed text contains only a salted hash of it. A person who has access to the file can't compute a
/// seal.
struct EntitlementCacheSeal: Sendable {
    private let key: [UInt8]

    /// - Returns: `nil` while the app, the environment, or the device isn't known.
    init?(_ trust: HistoryTrust) {
        guard let app = trust.bundleID, let environment = trust.environment, let device = trust.deviceVerificationID
        else { return nil }
        key = Array("\(device.uuidString.lowercased())\n\(environment.rawValue)\n\(app)\n".utf8)
    }

    func text(over content: Data) -> String {
        Data(DigestAlgorithm.sha384.hash((key + content)[...])).base64EncodedString()
    }
}
