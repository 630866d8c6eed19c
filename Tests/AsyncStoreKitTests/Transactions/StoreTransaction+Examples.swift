import AsyncStoreKit
import Foundation

extension TransactionToken {
    /// Returns the token with this number, of the source in the tests of state machines.
    static func entry(_ serial: UInt64, source: UInt64 = 1) -> TransactionToken {
        TransactionToken(source: source, serial: serial)
    }
}

extension StoreTransaction {
    /// Returns the entry with this number, in this state. A paid transaction has an identifier.
    static func entry(
        _ serial: UInt64, _ state: State, of productID: String = "coins", quantity: Int = 1, username: String? = nil,
        offer: String? = nil, hasUnfinishedDownloads: Bool = false
    ) -> StoreTransaction {
        let isPaid = state == .purchased || state == .restored
        return StoreTransaction(
            token: .entry(serial), state: state, productID: productID, quantity: quantity,
            applicationUsername: username,
            offerID: offer, id: isPaid ? "paid-\(serial)" : nil,
            purchaseDate: isPaid ? Date(timeIntervalSince1970: TimeInterval(serial)) : nil,
            error: state == .failed ? StoreError(.userCancelled, "Cancelled.") : nil,
            hasUnfinishedDownloads: hasUnfinishedDownloads)
    }
}
