import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Every way to purchase passes every option on.
@Suite(.bounded) struct PurchaseDoorTests {
    enum Door: CaseIterable {
        case identifier, loadedIdentifier, product, closure, productClosure
        case callback, loadedCallback, productCallback

        var isLoaded: Bool { self != .identifier && self != .closure && self != .callback }
    }

    private final class Window: Sendable {}

    private static let window = Window()
    private static let options: [PurchaseOptions] = [
        [.quantity(3)],
        [.appAccountToken(UUID())],
        [.account(.username("someone"))],
        [.offer(.promotional(id: "offer", jws: "a.b.c"))],
        [.introductoryOfferEligibility(jws: "a.b.c")],
        [.billingPlan(.monthly)],
        [.seats(2)],
        [.simulatesAskToBuy],
        [.timeout(60)],
        [.context("a gift")],
        [.context("a gift"), .appAccountToken(UUID())],
        [.anchor(PresentationAnchor(object: window))],
    ]

    /// Records the payments, and rejects them.
    private final class Recording: RelayBackend {
        let next: any StoreBackend
        let requests = Recorder<PaymentRequest>()

        init(_ engine: StoreEngine) {
            next = SimulatedBackend(SimulatedAppStore(catalog: .shop), engine: engine)
        }

        func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
            requests.record(payment)
            throw StoreError(.storeKit, "Recorded.")
        }
    }

    @Test(arguments: Door.allCases, [StoreEngine.storeKit1, .storeKit2])
    func `every option reaches the payment`(door: Door, engine: StoreEngine) async throws {
        for options in Self.options {
            let backend = Recording(engine)
            let store = PurchaseStore(over: backend)
            let product: StoreProduct? =
                door.isLoaded ? try await store.products(for: [StoreWorld.coins]).products.first : nil
            await Self.purchase(store, product, options, door)
            let request = try #require(backend.requests.elements.first)
            expectEqual(backend.requests.elements.count, 1)
            expectEqual(request.contextID != nil, options.encodedContext != nil)
            // Only StoreKit 2 carries the identifier of a context, and only without an account.
            var expected = options
            if engine == .storeKit2, options.account == nil, let id = request.contextID {
                expected.account = .token(id)
            }
            expectEqual(request.options, expected)
        }
    }

    @Test(arguments: Door.allCases)
    func `a purchase has the context with which it was made`(door: Door) async throws {
        let store = PurchaseStore(simulating: SimulatedAppStore(catalog: .shop))
        let product: StoreProduct? =
            door.isLoaded ? try await store.products(for: [StoreWorld.coins]).products.first : nil
        let outcome = await Self.purchase(store, product, [.context("a gift")], door)
        guard case .success(let purchase) = outcome else { throw BrokenPromise(message: "no purchase") }
        expectEqual(purchase.context(as: String.self), "a gift")
    }

    @Test func `the tested options contain each option`() {
        for field in Mirror(reflecting: PurchaseOptions()).children {
            let isTested = Self.options.contains { options in
                Mirror(reflecting: options).children.contains {
                    $0.label == field.label && "\($0.value)" != "\(field.value)"
                }
            }
            #expect(isTested, "\(field.label ?? "")")
        }
    }

    @discardableResult
    private static func purchase(
        _ store: PurchaseStore, _ product: StoreProduct?, _ options: PurchaseOptions, _ door: Door
    ) async -> PurchaseOutcome? {
        let id = StoreWorld.coins
        let product = product ?? StoreProduct(id: id, displayName: id, description: "", price: 1, priceLocale: .current)
        let answers = Recorder<Result<PurchaseOutcome, StoreError>>()
        switch door {
        case .identifier, .loadedIdentifier: return try? await store.purchase(id, options: options)
        case .product: return try? await store.purchase(product, options: options)
        case .closure: return try? await store.purchase(id, options: options) { _ in }
        case .productClosure: return try? await store.purchase(product, options: options) { _ in }
        case .callback, .loadedCallback:
            store.callbacks.purchase(id, options: options) { answers.record($0) }
        case .productCallback:
            store.callbacks.purchase(product, options: options) { answers.record($0) }
        }
        return try? await answers.first(1).first?.get()
    }
}
