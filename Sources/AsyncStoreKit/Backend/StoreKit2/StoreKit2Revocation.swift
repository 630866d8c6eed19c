import Foundation

/// What the queue knows of a transaction's refund, upgrade or end of sharing, and of its reversal.
struct StoreKit2Revocation: Sendable {
    /// When Apple signed the revocation.
    private let signedDate: Date
    /// When the queue received the revocation.
    private let moment: StoreKit2Queue.Moment
    /// When Apple signed that the revocation was reversed.
    private var reversedDate: Date?

    init(_ version: StoreKit2SignedTransaction.Version, at moment: StoreKit2Queue.Moment) {
        signedDate = version.signedDate
        self.moment = moment
    }

    /// Whether a version of the transaction changes the revocation: a reversal, or a second revocation after a
    /// reversal.
    /// - Parameter read: When the read that has the version began; `nil` for an update.
    func isFollowed(by version: StoreKit2SignedTransaction.Version, readAt read: StoreKit2Queue.Moment?) -> Bool {
        if version.revocationDate != nil { return reversedDate.map { version.signedDate > $0 } ?? false }
        return isReversed(by: version) && read.map { moment <= $0 } ?? true
    }

    /// Whether Apple signed a version without a revocation later.
    func isReversed(by version: StoreKit2SignedTransaction.Version) -> Bool { version.signedDate > signedDate }

    /// Records a reversal. Returns whether it's the first one.
    mutating func reverse(by version: StoreKit2SignedTransaction.Version) -> Bool {
        guard version.revocationDate == nil, version.signedDate > max(signedDate, reversedDate ?? .distantPast) else {
            return false
        }
        defer { reversedDate = version.signedDate }
        return reversedDate == nil
    }
}
