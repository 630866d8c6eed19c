import AppReceipt
import AppStoreServer
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Testing

extension SituationTests {
    static let payments: [Situation] = [
        Situation("The customer closes the sheet") { appStore, store in
            appStore.setNextPurchaseOutcome(.userCancelled)
            let outcome = try await store.purchase("pro")
            #expect(outcome == .userCancelled)
        },
        Situation("A payment fails") { appStore, store in
            appStore.setNextPurchaseOutcome(.failed(.purchaseNotAllowed))
            let error = await #expect(throws: StoreError.self) { try await store.purchase("pro") }
            #expect(error?.code == .purchaseNotAllowed)
        },
        Situation("StoreKit never answers") { appStore, store in
            appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
            let events = StreamListener(store.events)
            let call = Task { try await store.purchase("pro", options: [.timeout(60)]) }
            #expect(try await events.next()?.kind == .started)
            try await store.advance(by: 60)
            let error = await #expect(throws: StoreError.self) { try await call.value }
            #expect(error?.code == .timedOut)
        },
        Situation("A parent approves") { appStore, store in
            appStore.behavior.askToBuyEnabled = true
            _ = try await store.purchase("pro")
            try appStore.approvePurchase(of: "pro")
            try await store.settled()
            #expect(store.owned == ["pro"])
        },
        Situation("A parent declines") { appStore, store in
            appStore.behavior.askToBuyEnabled = true
            _ = try await store.purchase("pro")
            try appStore.declinePurchase(of: "pro")
            try await store.settled()
            #expect(try await store.diagnostics().pendingPurchases.count == 1)
            try await store.advance(by: .day(1))
            #expect(try await store.diagnostics().pendingPurchases.isEmpty)
            #expect(store.owned.isEmpty)
        },
        Situation("An interrupted purchase, resolved or abandoned") { appStore, store in
            appStore.setNextPurchaseOutcome(.interrupted)
            let error = await #expect(throws: StoreError.self) { try await store.purchase("pro") }
            #expect(error?.code == .purchaseInterrupted)
            try appStore.resolvePurchase(of: "pro")
            try await store.settled()
            #expect(store.owned == ["pro"])
        },
        Situation("A refund, of all or of a part, and its reversal") { appStore, store in
            try await store.buy("pro")
            try appStore.refund("pro", percentage: 30)
            try await store.settled()
            #expect(store.entitlements.latest["pro"]?.revocationPercentage == 30)
            try appStore.reverseRefund(of: "pro")
            try appStore.refund("pro")
            try await store.settled()
            #expect(store.owned.isEmpty)
            try appStore.reverseRefund(of: "pro")
            try await store.settled()
            #expect(store.owned == ["pro"])
        },
        Situation("A refund request that fails, or was made before") { appStore, store in
            try await store.buy("pro")
            appStore.behavior.refundRequestEnding = .duplicateRequest
            let pro = try #require(store.entitlements.latest["pro"]?.transaction)
            let error = await #expect(throws: StoreError.self) { try await store.requestRefund(for: pro) }
            #expect(error?.code == .refundDuplicate)
        },
        Situation("A signature that doesn't verify") { appStore, store in
            appStore.setNextPurchaseOutcome(.unverified)
            let error = await #expect(throws: StoreError.self) { try await store.purchase("pro") }
            #expect(error?.code == .unverified)
        },
        Situation("A receipt that your code verifies") { _, store in
            try await store.buy("pro")
            #expect(try await store.receipt.verify(using: .simulated()).owns("pro", at: .now))
        },
        Situation("Apple's service verifyReceipt") { appStore, store in
            try await store.buy("pro")
            let verifier = AppleServerReceiptVerifier(
                bundleID: .any, environment: .sandbox, transport: appStore.verifyReceiptTransport)
            #expect(try await store.receipt.verify(using: verifier).owns("pro", at: .now))
        },
    ]

    static let devices: [Situation] = [
        Situation("A purchase outside the app") { appStore, store in
            try await store.settled()
            try appStore.buyProduct(productID: "pro")
            try await store.settled()
            #expect(store.owned == ["pro"])
        },
        Situation("A purchase that starts in the App Store") { appStore, store in
            let intents = StreamListener(store.purchaseIntents)
            try appStore.promotePurchase(of: "pro")
            #expect(try await intents.next()?.product.id == "pro")
        },
        Situation("Two devices at the same time") { appStore, store in
            let tablet = PurchaseStore(simulating: appStore.newDevice())
            try await tablet.settled()
            try await store.buy("pro")
            try await tablet.settled()
            #expect(tablet.owned == ["pro"])
        },
        Situation("A new phone that replaces the old one") { appStore, store in
            try await store.buy("pro")
            appStore.moveToNewDevice()
            let next = appStore.relaunch()
            #expect(try await next.restore().productIDs == ["pro"])
        },
        Situation("A crash, and the next launch") { appStore, store in
            _ = try await store.purchase("coins")
            let next = appStore.relaunch()
            #expect(try await StreamListener(next.transactions).next()?.productID == "coins")
        },
        Situation("An update from StoreKit 1 to StoreKit 2") { appStore, _ in
            let old = PurchaseStore(simulating: appStore, engine: .storeKit1)
            _ = try await old.purchase("coins")
            let next = appStore.relaunch(engine: .storeKit2)
            #expect(try await StreamListener(next.transactions).next()?.productID == "coins")
        },
        Situation("A family shares a product, and stops sharing it") { appStore, store in
            try appStore.shareInFamily("pro")
            try await store.settled()
            #expect(store.entitlements.latest["pro"]?.isFamilyShared == true)
            try appStore.revokeFamilySharing(of: "pro")
            try await store.settled()
            #expect(store.owned.isEmpty)
        },
        Situation("An organization assigns a seat") { appStore, store in
            try appStore.assignSeat(of: "news")
            try await store.settled()
            #expect(store.owned == ["news"])
            try appStore.unassignSeat(of: "news")
            try await store.settled()
            #expect(store.owned.isEmpty)
        },
    ]
}
