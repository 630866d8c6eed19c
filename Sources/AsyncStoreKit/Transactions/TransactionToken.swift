/// Stands for one entry of a payment queue, as long as a store observes it.
///
/// StoreKit 1 documents nothing by which a report could be told from another before a transaction has an identifier: a
/// token is given to every transaction *object* when it is first seen, and later objects have greater tokens.
package struct TransactionToken: Sendable, Hashable {
    /// Tells the tokens of one backend from those of another.
    package let source: UInt64
    /// Grows with every entry.
    package let serial: UInt64

    /// Of no entry: what is not in a queue goes by it.
    package static let none = TransactionToken(source: 0, serial: 0)

    package init(source: UInt64, serial: UInt64) {
        self.source = source
        self.serial = serial
    }

    /// Hashes the part in which the tokens of one store differ.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(serial)
    }
}

extension TransactionToken: Comparable {
    /// Whether the one entry was seen before the other.
    package static func < (left: TransactionToken, right: TransactionToken) -> Bool {
        (left.source, left.serial) < (right.source, right.serial)
    }
}
