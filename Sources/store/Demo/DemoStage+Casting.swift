import AppStoreSimulator
import AsyncStoreKit

// Who is cast for an act.
extension DemoStage {
    /// A product to buy: the first of the kinds, in their order, that the customer does not have, rather one that was in no act
    /// yet, or not for long, and one for which nothing is hosted.
    ///
    /// When the customer has everything, another customer continues.
    /// - Parameter allowsHosted: Whether it may be one for which something is hosted, if there is no other.
    func cast(_ kinds: [SimulatedProduct.Kind], allowsHosted: Bool = true) throws(DemoAct.Skipped) -> SimulatedProduct {
        let ofKind = kinds.flatMap { kind in catalog.products.filter { $0.kind == kind } }
        guard !ofKind.isEmpty else {
            throw DemoAct.Skipped(reason: "the file has no \(kinds.map(\.words).joined(separator: ", and no ")).")
        }
        let plain = ofKind.filter(\.hostedContent.isEmpty)
        guard allowsHosted || !plain.isEmpty else {
            throw DemoAct.Skipped(reason: "the App Store hosts content for every product that would fit, and only the app can fetch it.")
        }
        return try cast(among: plain.isEmpty ? ofKind : plain)
    }

    /// A product with hosted content to buy.
    func castHosted() throws(DemoAct.Skipped) -> SimulatedProduct {
        let hosted = catalog.products.filter { !$0.hostedContent.isEmpty }
        guard engine == .storeKit1 else { throw DemoAct.Skipped(reason: "StoreKit 2 has no hosted content.") }
        guard !hosted.isEmpty else { throw DemoAct.Skipped(reason: "the file has no product with hosted content.") }
        return try cast(among: hosted)
    }

    private func cast(among products: [SimulatedProduct]) throws(DemoAct.Skipped) -> SimulatedProduct {
        let candidates = products.filter { $0.hostedByteCount <= ContentDownload.mostBytes }
        guard let first = candidates.first else {
            let limit = ByteCount(ContentDownload.mostBytes)
            throw DemoAct.Skipped(reason: "the App Store hosts more than \(limit) for every product that would fit.")
        }
        let free = candidates.filter { !owned.contains($0.ownershipKey) }
        // The first of those that have waited longest.
        let rested = free.min { castings[$0.productID, default: 0] < castings[$1.productID, default: 0] }
        if rested == nil { changeCustomer() }
        let product = rested ?? first
        castings[product.productID] = (castings.values.max() ?? 0) + 1
        return product
    }

    /// Remembers what the customer has from now on.
    func own(_ product: SimulatedProduct) {
        if product.kind != .consumable { owned.insert(product.ownershipKey) }
    }

    /// Whether the customer has something that a restore gives back.
    var ownsRestorable: Bool {
        catalog.products.contains { SimulatedProduct.Kind.restorable.contains($0.kind) && owned.contains($0.ownershipKey) }
    }

    /// The name that customers see; the identifier when there is none.
    func name(of productID: String) -> String {
        let name = catalog[productID]?.localization(for: catalog.localeIdentifier)?.displayName ?? ""
        return name.isEmpty ? productID : name
    }
}

extension SimulatedProduct {
    /// Under which what is owned is remembered: subscriptions of a group are one another's alternatives.
    fileprivate var ownershipKey: String {
        subscription.map { "group \($0.groupID)" } ?? "product \(productID)"
    }
}

extension SimulatedProduct.Kind {
    /// What a restore gives back.
    static let restorable: [SimulatedProduct.Kind] = [.nonConsumable, .autoRenewableSubscription]

    /// The kind in words.
    var words: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .nonRenewingSubscription: "non-renewing subscription"
        case .autoRenewableSubscription: "subscription"
        }
    }
}
