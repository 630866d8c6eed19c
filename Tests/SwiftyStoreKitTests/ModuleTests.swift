import AppReceipt
import AsyncStoreKit
import SwiftyStoreKit
import Testing

@Suite("Modules side by side")
struct ModuleTests {
    @Test("the class is found beside the new API")
    func names() {
        let legacy: SwiftyStoreKit.Type = SwiftyStoreKit.self
        let store: Store.Type = Store.self
        #expect("\(legacy)" != "\(store)")
    }
}
