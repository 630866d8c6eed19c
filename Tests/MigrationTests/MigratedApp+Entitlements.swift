import AsyncStoreKit

extension MigratedApp {
    func askWhatIsOwned() async {
        let entitlements = await store.entitlements.current
        if entitlements.contains(anyOf: ["com.example.weekly"]) { unlock("com.example.weekly") }
    }
}
