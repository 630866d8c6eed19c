import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct StoreTextsTests {
    @Test func `every text has a key of its own, known placeholders, and a count if it has two forms`() throws {
        for text in StoreTexts.allCases {
            #expect(text.rawValue.contains("."), "\(text)")
            let forms = text.english.split(separator: "|").map(String.init)
            #expect((1...2).contains(forms.count) && forms.allSatisfy { !$0.isEmpty }, "\(text)")
            for form in forms {
                for match in form.matches(of: #/\{([^}]*)\}/#) {
                    #expect(StoreTexts.Placeholder(rawValue: String(match.1)) != nil, "\(text): \(form)")
                }
            }
            expectEqual(forms.count == 2, forms.last?.contains("{count}") == true, "\(text)")
        }
        expectEqual(Set(StoreTexts.allCases.map(\.rawValue)).count, StoreTexts.allCases.count)
        expectEqual(
            Set(StoreTexts.allCases.map(\.english)).count, StoreTexts.allCases.count - 1, "one title is a status too")
    }

    @Test func `customers read no developer's terms`() {
        for text in StoreTexts.allCases {
            for term in ["StoreKit", "identifier", "product ID", "entitlement", "transaction", "model", "SDK"] {
                #expect(!text.english.lowercased().contains(term.lowercased()), "\(text): \(text.english)")
            }
        }
    }

    @Test func `values take the place of their placeholders once, and a missing value stays visible`() {
        expectEqual(
            StoreTexts.approvalMessage.text([.product: "{price} {"]), "You get {price} { when the request is approved.")
        expectEqual(StoreTexts.priceForPeriod.text([.price: "£1"]), "£1 for {period}")
        expectEqual(StoreTexts.alertRestoredMessage.text(count: 1), "1 purchase is available again.")
        expectEqual(StoreTexts.alertRestoredMessage.text(count: 2), "2 purchases are available again.")
    }

    @Test func `the warnings for developers name the view and the cure`() {
        #expect(
            MissingModel.warning(for: "PurchaseButton").hasPrefix("PurchaseButton has no StoreModel. Add .storeModel("))
        let group = MissingModel.warning(forGroup: "club", of: "SubscriptionPicker")
        #expect(group.contains("SubscriptionPicker") && group.contains("\"club\"") && group.contains(".storeModel("))
        let product = MissingModel.warning(forProduct: "pro", of: "PurchaseButton")
        #expect(product.contains("\"pro\"") && product.contains("diagnose"))
    }
}
