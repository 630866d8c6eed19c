import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitHTTP
import AsyncStoreKitTesting
import Foundation
import LoopbackHTTP
import Support
import TestHarness
import Testing

/// The app ends, and is launched again, at every step between a payment and its end.
@Suite(.bounded) struct HTTPDeliveryRelaunchTests {
    private let scene = HTTPDeliveryScene()

    @Test(arguments: CrashPoint.allCases)
    func `the purchase is delivered before it is finished, wherever the app ends`(point: CrashPoint) async throws {
        let accepted = Locked<Set<String>>([])
        let first: LoopbackServer.Answer =
            switch point {
            case .serverIsReading: .hang
            case .answerIsLost: .cutOff("{}")
            case .isPending: .body("", status: 503)
            default: .accepted
            }
        let server = try LoopbackServer([first, .accepted])
        let life = AppLife(scene.world.appStore, endsAt: point, accepted: accepted)
        let store = PurchaseStore(over: life, configuration: StoreConfiguration(clock: scene.world.clock))
        store.setDelivery(WatchedDelivery(delivery: try scene.delivery(to: server.url), life: life))
        let call = Task { try? await store.purchase(StoreWorld.pro) }
        switch point {
        case .serverIsReading:
            for await _ in server.arrivals { break }
            life.end()
        case .isPending, .answerIsLost:
            _ = await call.value
            life.end()
        default:
            _ = try await life.ended.first(1)
        }
        _ = await call.value

        let next = AppLife(scene.world.appStore, endsAt: nil, accepted: accepted)
        let newStore = PurchaseStore(over: next, configuration: StoreConfiguration(clock: scene.world.clock))
        newStore.setDelivery(WatchedDelivery(delivery: try scene.delivery(to: server.url), life: next))
        try await scene.world.expectFinishedSoon(newStore)
        let history = scene.world.appStore.allTransactions()
        if point != .finished { _ = try await next.finished.first(1) }
        try await scene.world.settle(newStore)

        expectEqual(scene.world.appStore.allTransactions().map(\.isFinished), [true])
        expectEqual(life.violations.elements + next.violations.elements, [])
        let key = try #require(history.first?.transactionID)
        expectEqual(accepted.withLock { $0 }, [key], "delivered, and nothing else was")
        expectEqual(Set(server.deliveryKeys), ["\"\(key)\""], "each time under the same key")
        expectEqual(server.requests.count, point.requests)
    }

    @Test func `a purchase that couldn't be finished arrives again, under the same key`() async throws {
        let server = try LoopbackServer([.accepted])
        scene.world.appStore.behavior.finishingFails = true
        let store = try scene.launch(delivering: server)
        #expect(try scene.world.success(try await store.purchase(StoreWorld.pro)).isHandledElsewhere)
        scene.world.appStore.behavior.finishingFails = false
        let next = try scene.launch(delivering: server)
        let updates = StreamListener(next.transactions)
        expectEqual(try await updates.next()?.isHandledElsewhere, true)
        expectEqual(server.requests.count, 2)
        expectEqual(Set(server.deliveryKeys).count, 1)
        expectEqual(server.requests.last?.headers["delivery-cause"], "unsolicited")
    }
}

/// The step at which the app ends.
enum CrashPoint: CaseIterable, Sendable {
    case paymentIsSubmitted, purchasingIsReported, purchasedIsReported, requestIsMade, serverIsReading, answerIsLost,
        isPending
    case decisionIsMade, finishing, finished

    /// The number of requests that the server gets in both launches.
    var requests: Int {
        switch self {
        case .paymentIsSubmitted, .purchasingIsReported, .purchasedIsReported, .requestIsMade, .finished: 1
        case .serverIsReading, .answerIsLost, .isPending, .decisionIsMade, .finishing: 2
        }
    }
}

/// A delivery that can end the app before and after each request.
private struct WatchedDelivery: PurchaseDelivery {
    let delivery: HTTPPurchaseDelivery
    let life: AppLife

    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        // In reality, the process has ended, so the delivery doesn't continue.
        guard !life.reaches(.requestIsMade) else { return .retryLater }
        let decision = await delivery.deliver(request)
        if decision == .accepted { life.accept(request.purchases.compactMap(\.transaction.id)) }
        _ = life.reaches(.decisionIsMade)
        return decision
    }
}
