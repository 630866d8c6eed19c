import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptTests {
    private func refresh(_ launch: SimulatedLaunch) {
        launch.receiptRefreshRequest { _ in }.start()
        launch.store.runUntilIdle()
    }

    private func products(_ launch: SimulatedLaunch) -> [String] {
        launch.receiptContent?.transactions.map(\.productID) ?? []
    }

    @Test func `the receipt is missing before the first purchase`() {
        let (_, launch, observer) = SimulatedAppStore.observed()
        expectEqual(launch.receipt, nil)
        launch.buy("coins")
        expectEqual(launch.receipt?.isEmpty, false)
        expectEqual(launch.receiptContent?.bundleID, "com.example.app")
        expectEqual(products(launch), ["coins"])
        withExtendedLifetime(observer) {}
    }

    @Test func `the receipt holds a purchase before its transaction is reported`() {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        let held = OrderLog<[String]>()
        let observer = RecordingObserver { launch, event in
            guard case .updatedTransactions(let transactions) = event,
                transactions.contains(where: { $0.state == .purchased })
            else {
                return
            }
            held.append(launch.receiptContent?.transactions.compactMap(\.transactionID) ?? [])
        }
        launch.add(observer)
        launch.buy("coins")
        expectEqual(held.values, [observer.updates.compactMap(\.transactionID)])
    }

    @Test func `a finished consumable leaves the receipt at the next write`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed(buying: ["coins", "pro"])
        for transaction in launch.transactions {
            launch.finishTransaction(transaction.id)
        }
        store.runUntilIdle()
        expectEqual(products(launch), ["coins", "pro"])
        launch.buy("gems")
        expectEqual(products(launch), ["pro", "gems"])
        withExtendedLifetime(observer) {}
    }

    @Test func `the receipt can lag by a number of refreshes`() {
        let (_, launch, observer) = SimulatedAppStore.observed(buying: ["pro"]) { $0.receiptLag = .refreshes(2) }
        expectEqual(observer.states, [.purchasing, .purchased])
        expectEqual(launch.receipt, nil)
        refresh(launch)
        #expect(launch.receipt != nil)
        #expect(products(launch).isEmpty)
        refresh(launch)
        expectEqual(products(launch), ["pro"])
    }

    @Test func `the receipt can lag by a duration`() {
        let (store, launch, observer) = SimulatedAppStore.observed(buying: ["pro"]) { $0.receiptLag = .seconds(30) }
        refresh(launch)
        store.advance(by: 29)
        #expect(products(launch).isEmpty)
        store.advance(by: 1)
        expectEqual(products(launch), ["pro"])
        expectEqual(launch.receiptContent?.creationDate, store.now)
        withExtendedLifetime(observer) {}
    }

    @Test func `a lag of zero is no lag`() {
        for lag in [
            SimulatorBehavior.ReceiptLag.refreshes(0), .refreshes(-1), .seconds(0), .seconds(-1), .seconds(.nan),
        ] {
            let (_, launch, observer) = SimulatedAppStore.observed(buying: ["pro"]) { $0.receiptLag = lag }
            expectEqual(products(launch), ["pro"])
            withExtendedLifetime(observer) {}
        }
    }

    @Test func `the receipt survives a launch and contains refunds and renewals`() throws {
        let (store, _, observer) = SimulatedAppStore.observed(buying: ["pro", "monthly"])
        store.behavior.billingGracePeriodIsEnabled = true
        store.behavior.shouldEnterBillingRetryOnRenewal = true
        store.advance(by: 31 * 86_400)
        try store.refund("pro")
        let content = try #require(store.launch().receiptContent)
        expectEqual(content.transactions.map(\.revocationDate), [store.now, nil])
        expectEqual(store.allRenewals().map(\.isInBillingRetry), [true])
        expectEqual(store.allRenewals().map(\.gracePeriodExpirationDate), [store.now.addingTimeInterval(16 * 86_400)])
        expectEqual(store.allRenewals().map(\.autoRenewPreference), ["monthly"])
        expectEqual(store.allRenewals().map(\.expirationReason), [.billingError])
        withExtendedLifetime(observer) {}
    }

    @Test func `the file is signed again only if its content has changed`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed(buying: ["monthly"])
        let first = try #require(launch.receipt)
        expectEqual(launch.receipt, first)
        let identifier = try #require(observer.updates.compactMap(\.transactionID).first)
        #expect(first.range(of: Data(identifier.utf8)) != nil)
        store.advance(by: 31 * 86_400)
        let second = try #require(launch.receipt)
        #expect(second != first)
        #expect(second.range(of: Data(identifier.utf8)) != nil)
        let twin = SimulatedAppStore.stepped()
        twin.own("monthly")
        twin.advance(by: 31 * 86_400)
        expectEqual(twin.launch().receipt, second)
    }

    @Test func `the file has the properties of the refresh request`() throws {
        let (store, launch, _) = SimulatedAppStore.observed()
        refresh(launch)
        let usual = try #require(launch.receipt)
        launch.receiptRefreshRequest(properties: SimulatedReceiptProperties(isExpired: true, isVolumePurchase: true)) {
            _ in
        }.start()
        store.runUntilIdle()
        let other = try #require(launch.receipt)
        #expect(usual.range(of: Data("ProductionSandbox".utf8)) != nil)
        #expect(other.range(of: Data("ProductionVPP".utf8)) != nil)
        expectEqual(launch.receiptContent?.properties.isExpired, true)
    }
}
