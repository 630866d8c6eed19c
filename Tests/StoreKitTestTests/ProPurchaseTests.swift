import AppStoreSimulator
import StoreKitTest
import TestHarness
import Testing

@Suite(.bounded, .serialized) struct ProPurchaseTests {
    let session: SKTestSession

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Session")
        session.resetToDefaultState()
        session.clearTransactions()
        session.disableDialogs = true
    }

    @Test func `a refund ends the access`() async throws {
        let bought = try await session.buyProduct(identifier: "pro")
        #expect(await Transaction.currentEntitlement(for: "pro") != nil)
        try session.refundTransaction(identifier: UInt(bought.id))
        #expect(await Transaction.currentEntitlement(for: "pro") == nil)
    }

    @Test func `a session in a launch controls the App Store of the launch`() async throws {
        let appStore = SimulatedAppStore(products: [])
        try await StoreKitSimulation.withLaunch(appStore.launch()) {
            let session = try SKTestSession(configurationFileNamed: "Session")
            try await session.buyProduct(identifier: "pro")
            #expect(await Transaction.currentEntitlement(for: "pro") != nil)
        }
        #expect(appStore.allTransactions().map(\.productID) == ["pro"])
    }
}
