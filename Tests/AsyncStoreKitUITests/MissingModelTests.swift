import AsyncStoreKitUI
import TestHarness
import Testing

@Suite(.bounded) struct MissingModelTests {
    @Test func `the warnings for developers name the view and the solution`() {
        #expect(
            MissingModel.warning(for: "PurchaseButton").hasPrefix("PurchaseButton has no StoreModel. Add .storeModel("))
        let group = MissingModel.warning(forGroup: "club", of: "SubscriptionPicker")
        #expect(group.contains("SubscriptionPicker") && group.contains("\"club\"") && group.contains(".storeModel("))
        let product = MissingModel.warning(forProduct: "pro", of: "PurchaseButton")
        #expect(product.contains("\"pro\"") && product.contains("diagnose"))
    }
}
