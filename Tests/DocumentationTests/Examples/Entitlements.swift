import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The code of the article Entitlements.
@MainActor private final class Access {
    private(set) var isPro = false { didSet { changed.yield(isPro) } }
    let changes: AsyncStream<Bool>
    private let changed: AsyncStream<Bool>.Continuation

    init() {
        (changes, changed) = AsyncStream.makeStream(of: Bool.self)
    }

    func follow(_ store: PurchaseStore) async {
        for await entitlements in store.entitlements {
            isPro = entitlements.contains(anyOf: ["com.example.pro", "com.example.club"])
        }
    }

    func mayUsePro(_ store: PurchaseStore) async -> Bool? {
        let entitlements = await store.entitlements.current
        if entitlements.contains(anyOf: ["com.example.pro"]) { return true }
        return entitlements.basis == .unknown ? nil : false
    }

    func describe(_ entitlements: StoreEntitlements) -> String {
        guard let club = entitlements["com.example.club"] else { return "Not a member" }
        return switch club.state {
        case .inGracePeriod: "Please look at your payment method"
        case _ where !club.isEntitled: "Your membership has ended"
        case _ where club.renewal?.willRenew == false: "Your membership will end"
        default: "Member"
        }
    }
}

@Suite(.bounded) @MainActor struct EntitlementExampleTests {
    private let appStore = SimulatedAppStore(products: [
        .nonConsumable("com.example.pro", price: 10), .autoRenewable("com.example.club", price: 5, period: .month(1), group: "club"),
    ])

    @Test func `access follows what is bought and refunded`() async throws {
        let access = Access()
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        let following = Task { await access.follow(store) }
        defer { following.cancel() }
        #expect(await access.mayUsePro(store) == false)
        try await store.purchase("com.example.pro") { _ in }
        for await isPro in access.changes where isPro { break }
        #expect(await access.mayUsePro(store) == true)
        #expect(access.describe(await store.entitlements.current) == "Not a member")
    }

    @Test func `a membership is described by its state`() async throws {
        let access = Access()
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        try await store.purchase("com.example.club") { _ in }
        #expect(access.describe(await store.entitlements.refresh()) == "Member")
    }
}
