import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

/// Compares the pictures of the documentation with the states that views show. `UPDATE_DRAWINGS=1` draws them again.
@Suite(.bounded) @MainActor struct DrawingTests {
    private static let folder = DocumentedCode().root
        .appendingPathComponent("Sources/AsyncStoreKitUI/AsyncStoreKitUI.docc/Resources")

    private func expectUpToDate(_ drawing: Drawing, _ name: String) throws {
        let file = Self.folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["UPDATE_DRAWINGS"] != nil {
            try Data(drawing.svg.utf8).write(to: file)
        }
        let isUpToDate = try String(contentsOf: file, encoding: .utf8) == drawing.svg
        #expect(isUpToDate, "\(name) is out of date. Run the tests with UPDATE_DRAWINGS=1, and look at the picture.")
    }

    private func configuration(
        _ fixture: PaywallFixture, _ productID: String, _ options: PurchaseOptions = [], failure: StoreError? = nil,
        _ change: (inout StoreModelState) -> Void = { _ in }
    ) -> PurchaseButtonConfiguration {
        var state = fixture.state
        change(&state)
        return PurchaseButtonConfiguration(
            productID: productID, state.button(for: productID, options: options, failure: failure)
        ) {}
    }

    @Test func `the picture of purchase buttons shows their states`() async throws {
        let new = PaywallFixture()
        try await new.load()
        let former = try PaywallFixture(.expired)
        try await former.load()
        let owner = try PaywallFixture(.active, of: "pro")
        try await owner.load()
        new.appStore.behavior.askToBuyEnabled = true
        var drawing = Drawing("Purchase buttons in their states.", columns: 2)
        drawing.begin(column: 0, "Terms")
        drawing.button(configuration(new, "pro"), "A product")
        drawing.button(configuration(new, "club.monthly"), "A subscription with a free trial")
        drawing.button(configuration(former, "club.monthly"), "The same for a customer who had the trial")
        drawing.button(
            configuration(new, "club.yearly", [.billingPlan(.monthly)]), "A commitment with monthly payments")
        drawing.begin(column: 1, "Progress")
        drawing.button(
            configuration(new, "coins") { $0.beginPurchase(of: "coins") }, "While the purchase is in progress")
        drawing.button(
            configuration(new, "coins", failure: StoreError(.networkError, "There is no network.")), "After a failure")
        drawing.button(configuration(owner, "pro"), "The customer owns the product")
        _ = try await new.core.purchase("coins", []) { _ in }
        try await new.store.settled()
        drawing.button(configuration(new, "coins"), "Ask to Buy")
        #expect(drawing.svg.contains("Waiting for approval") && drawing.svg.contains("£47.88 in total"))
        try expectUpToDate(drawing, "purchase-buttons.svg")
    }

    @Test func `the picture of the subscription picker shows a new customer and a subscriber`() async throws {
        let new = PaywallFixture()
        try await new.load()
        let subscriber = try PaywallFixture(.active)
        try await subscriber.load()
        var drawing = Drawing("A subscription picker for a new customer and for a subscriber.", columns: 2)
        drawing.begin(column: 0, "A new customer")
        drawing.picker(new.picker())
        drawing.begin(column: 1, "A subscriber")
        drawing.picker(subscriber.picker())
        #expect(drawing.svg.contains("Start Free Trial") && drawing.svg.contains("Change Plan"))
        try expectUpToDate(drawing, "subscription-picker.svg")
    }
}
