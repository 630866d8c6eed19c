public import Foundation

/// The value that an app attached to a purchase when the customer tapped "Buy"; see ``PurchaseOption/context(_:)``.
public struct PurchaseContext: Sendable, Hashable, Identifiable {
    /// Identifies the request.
    public let id: UUID
    /// The product to buy.
    public let productID: String
    /// When the purchase was requested.
    public let requestDate: Date
    package let json: [UInt8]
    /// The account of the request, in one text. The identifier of the request if the app gave no account and StoreKit
    /// carries one.
    let applicationUsername: String?
    /// The delivery key of the transaction that answers the request; `nil` until there is one.
    var deliveryKey: String?

    /// The largest value, in bytes of JSON.
    package static let largestSize = 4_096
    /// How long a context is kept, in seconds: 30 days.
    static let longestAge: TimeInterval = 30 * 86_400
    /// How many contexts are kept.
    static let mostContexts = 200

    /// Returns the value; `nil` if the context was another type.
    public func value<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
        Self.value(of: json)
    }

    /// Encodes a value in an array, because not every system encodes a number or a text alone.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode([value]))
    }

    static func value<Value: Decodable>(of json: [UInt8]) -> Value? {
        try? JSONDecoder().decode([Value].self, from: Data(json)).first
    }
}

package enum TransactionContext: Sendable, Equatable {
    /// The request that the transaction answers.
    case known(PurchaseContext)
    /// The requests that the transaction may answer. Nothing tells which one, or whether any.
    case candidates([PurchaseContext])
}
