import AsyncStoreKit

/// An event that a store reported to the app: the end of a call, an element of a stream, or other access.
enum SceneEvent: Hashable, Sendable {
    /// A request returned products.
    case products([String])
    /// A purchase was paid, and delivered by its call.
    case purchased(String)
    /// A purchase returned a transaction of an earlier purchase.
    case returnedEarlierPurchase(String)
    /// A purchase waits for approval.
    case pending(String)
    /// The customer closed the sheet.
    case canceled(String)
    /// A restore returned purchases.
    case restored([String])
    /// A call threw an error.
    case threw(StoreError.Code)
    /// A purchase arrived on `transactions`, was delivered, and finished.
    case transaction(String)
    /// A failure arrived on `purchaseFailures`.
    case failure(String, StoreError.Code)
    /// A revocation arrived on `revocations`.
    case revoked([String])
    /// A purchase that the customer began in the App Store arrived on `purchaseIntents`.
    case intent(String)
    /// Another storefront arrived on `storefrontChanges`.
    case storefront(String)
    /// The products with access, confirmed by the device, after they changed.
    case access([String])
    /// Whether the customer can have the introductory offer.
    case introductoryOffer(Bool?)
    /// The number of transactions that are unfinished.
    case unfinished(Int)
}

extension SceneEvent: CustomStringConvertible {
    var description: String {
        switch self {
        case .products(let ids): "products: \(Self.list(ids))"
        case .purchased(let id): "purchased \(id)"
        case .returnedEarlierPurchase(let id): "returned an earlier purchase of \(id)"
        case .pending(let id): "pending: \(id)"
        case .canceled(let id): "canceled: \(id)"
        case .restored(let ids): "restored: \(Self.list(ids))"
        case .threw(let code): "threw \(code)"
        case .transaction(let id): "transaction of \(id)"
        case .failure(let id, let code): "failure of \(id): \(code)"
        case .revoked(let ids): "revoked: \(Self.list(ids))"
        case .intent(let id): "purchase intent for \(id)"
        case .storefront(let code): "storefront \(code)"
        case .access(let ids): "access: \(Self.list(ids))"
        case .introductoryOffer(let isEligible):
            "introductory offer: \(isEligible.map { $0 ? "eligible" : "not eligible" } ?? "unknown")"
        case .unfinished(let count): "unfinished: \(count)"
        }
    }

    private static func list(_ ids: [String]) -> String { ids.isEmpty ? "none" : ids.joined(separator: ", ") }
}
