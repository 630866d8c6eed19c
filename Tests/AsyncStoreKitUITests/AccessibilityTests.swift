import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

/// What people who use VoiceOver hear, and what people who use Voice Control can say.
@Suite(.bounded) @MainActor struct AccessibilityTests {
    /// The words on a button that sells in a paywall.
    private static let titles: [CustomerText] = [
        .buttonSubscribe, .buttonStartTrial, .buttonChangePlan, .buttonBuy,
    ]
    private static let failures = [
        nil, StoreError(.networkError, "There is no network."), StoreError(.deliveryPending, "Later."),
        StoreError(.userCancelled, ""),
    ]

    private static func text(_ text: String, has words: String) -> Bool { words.isEmpty || text.contains(words) }

    /// The buttons for each product in each of their states, of a customer who has a product and without products.
    private func buttons(of customer: Customer) async throws -> [PurchaseButtonConfiguration] {
        let productID = if case .commitment = customer { "club.yearly" } else { "club.monthly" }
        let fixture = try PaywallFixture(customer, of: productID)
        try await fixture.load()
        let states = PaywallFixture.productIDs.flatMap { productID in
            [fixture.state, StoreModelState()].flatMap { state in
                Self.failures.map { state.button(for: productID, failure: $0) }
            }
        }
        let progresses: [PurchaseProgress] = [.idle, .purchasing, .pending, .awaitingDelivery]
        return states.flatMap { state in
            progresses.map { progress in
                var state = state
                state.shared = progress
                return PurchaseButtonConfiguration(productID: productID, state) {}
            }
        }
    }

    @Test(arguments: Customer.allCases)
    func `the label of each button in each style has the words on the button, the name and the terms`(
        _ customer: Customer
    ) async throws {
        guard ![.upgraded, .downgradePending].contains(customer) else { return }
        for button in try await buttons(of: customer) {
            // The prominent style shows the status or its title, and the automatic one what the configuration has.
            let titles = Self.titles.map { CustomerTexts.current.text($0) }
            for words in titles.map({ button.status ?? $0 }) + [""] {
                let label = button.accessibilityLabel(showing: words)
                #expect(Self.text(label, has: words))
                #expect(Self.text(label, has: button.title))
                if !button.isOwned, let terms = button.terms { #expect(label.contains(terms.summary)) }
                let spoken = label + button.accessibilityValue(showing: words)
                #expect(Self.text(spoken, has: button.status ?? ""))
                expectEqual(spoken.components(separatedBy: button.status ?? "-").count <= 2, true, "\(spoken)")
                let inputLabels = button.inputLabels(showing: words)
                #expect(words.isEmpty || inputLabels.first == words)
                #expect(button.title.isEmpty || inputLabels.contains(button.title))
                #expect(Set(inputLabels).count == inputLabels.count && !inputLabels.contains(""))
            }
        }
    }

    @Test func `the label of a plan has every word on it`() async throws {
        for customer in [Customer.new, .active, .commitment(month: 3)] {
            let fixture = try PaywallFixture(customer, of: "club.yearly")
            try await fixture.load()
            for option in fixture.picker().options {
                for words in [option.title, option.terms.summary, option.note ?? ""] {
                    #expect(Self.text(option.accessibilityLabel, has: words))
                }
            }
        }
    }

    @Test func `a button in a paywall says what it does first`() async throws {
        let fixture = PaywallFixture()
        try await fixture.load()
        let button = PurchaseButtonConfiguration(
            productID: "club.monthly", fixture.state.button(for: "club.monthly")
        ) {}
        expectEqual(
            button.accessibilityLabel(showing: "Start Free Trial"),
            "Start Free Trial, Club, Monthly, 1 week free, then £4.99 per month")
        expectEqual(button.inputLabels(showing: "Start Free Trial"), ["Start Free Trial", "Club, Monthly"])
        let price = try #require(button.terms?.price)
        expectEqual(button.accessibilityLabel(showing: price), button.accessibilityLabel, "nothing is said twice")
    }

    @Test func `a screen reader announces what the customer has to wait for, and its delivery`() async throws {
        let fixture = PaywallFixture()
        var announced: [String] = []
        fixture.core.announce = { announced.append($0) }
        try await fixture.load()
        fixture.appStore.behavior.askToBuyEnabled = true
        fixture.store.setDelivery { _ in .accepted }
        _ = try await fixture.core.purchase("coins", [], nil)
        expectEqual(announced, ["100 Coins, Waiting for approval"])
        try fixture.appStore.approvePurchase(of: "coins")
        try await fixture.store.settled()
        expectEqual(announced.dropFirst().first, "100 Coins, Purchased")
        announced = []
        fixture.appStore.behavior.askToBuyEnabled = false
        fixture.store.setDelivery { _ in .retryLater }
        _ = try? await fixture.core.purchase("pro", [], nil)
        expectEqual(announced, ["Darkroom Pro, Paid. You get it in a moment."])
    }

    @Test func `a screen reader announces an error only if no view shows an alert`() async throws {
        let fixture = PaywallFixture()
        var announced: [String] = []
        fixture.core.announce = { announced.append($0) }
        func fail() async -> String? {
            fixture.appStore.setNextPurchaseOutcome(.failed(.unknown))
            do throws(StoreError) {
                _ = try await fixture.core.purchase("coins", []) { _ in }
                return nil
            } catch {
                return error.localizedDescription
            }
        }
        try await fixture.load()
        let message = try #require(await fail())
        expectEqual(announced, [message])
        _ = try await fixture.core.restore { _ in }
        expectEqual(announced.last, "There are no earlier purchases for this Apple Account.")
        let place = ConfirmationPlace()
        fixture.core.change { $0.alerts.appeared(place) }
        _ = await fail()
        expectEqual(announced.count, 2, "the alert is read")
        expectEqual(fixture.state.alerts[place]?.message, message)
    }
}
