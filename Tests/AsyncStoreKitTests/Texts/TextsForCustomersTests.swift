import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The code of the article Texts for customers.
@Suite(.bounded) struct TextsForCustomersTests {
    func terms(of product: StoreProduct, offer: StoreOffer?) -> String {
        let texts = CustomerTexts.current
        guard let period = product.subscriptionPeriod else { return product.displayPrice }
        let price = texts.price(product.displayPrice, per: period)
        guard let offer else { return price }
        return texts.text(.priceAfterOffer, [.offer: texts.offer(offer), .price: price])
    }

    /// Not called, because tests that run at the same time read the texts in English.
    private func chooseLanguage() {
        CustomerTexts.setLanguages(["pt-BR"])
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `the terms of a subscription name its price, its period and its offer`(engine: StoreEngine) async throws {
        let appStore = SimulatedAppStore(products: [
            .autoRenewable(
                "club", price: 4.99, period: .month(1), group: "club", introductoryOffer: .freeTrial(.days(7))),
            .nonConsumable("pro", price: 10),
        ])
        let store = PurchaseStore(backend: SimulatedBackend(appStore, engine: engine))
        let products = try await store.products(for: ["club", "pro"])
        let (club, pro) = (try #require(products["club"]), try #require(products["pro"]))
        expectEqual(terms(of: club, offer: nil), "$4.99 per month")
        expectEqual(terms(of: club, offer: club.introductoryOffer), "1 week free, then $4.99 per month")
        expectEqual(terms(of: pro, offer: nil), "$10.00")
    }

    /// In a process of its own, because the texts of a process are the same for all tests.
    @Test func `the app's own texts replace those of the package, even in errors`() async {
        await #expect(processExitsWith: .success) { Self.replaceTexts() }
    }

    private static func replaceTexts() {
        CustomerTexts.setReplacement { text, count in
            switch text {
            case .linkTermsOfUse: NSLocalizedString("Rules of the Club", comment: "A link")
            case .statusRenews: "Next payment on {date}"
            case .statusTrialEnds where count == 1: "Your trial ends tomorrow"
            default: nil
            }
        }
        expectEqual(CustomerTexts.current.text(.linkTermsOfUse), "Rules of the Club")
        expectEqual(CustomerTexts(languages: ["de"]).text(.statusRenews, [.date: "1. Mai"]), "Next payment on 1. Mai")
        expectEqual(CustomerTexts.current.text(.statusTrialEnds, count: 1), "Your trial ends tomorrow")
        expectEqual(CustomerTexts.current.text(.statusTrialEnds, count: 2), "Your trial ends in 2 days")

        CustomerTexts.setReplacement { text, _ in text == .errorRefundAlreadyRequested ? "Asked already." : nil }
        expectEqual(StoreError(.refundDuplicate, "").localizedDescription, "Asked already.")
        CustomerTexts.setReplacement(nil)
        // The language of the tests' process, chosen again.
        CustomerTexts.setLanguages(["en-GB"])
        let text = StoreError(.refundDuplicate, "").localizedDescription
        CustomerTexts.setLanguages(nil)
        expectEqual(text, "You have already requested a refund for this purchase.")
        expectEqual(CustomerTexts.current.language, "en")
    }
}
