import AsyncStoreKit

extension MigratedApp {
    func followEntitlements() async {
        for await entitlements in store.entitlements where entitlements.basis != .unknown {
            if entitlements.contains(anyOf: ["com.example.weekly"]) {
                unlock("com.example.weekly")
            } else {
                lock("com.example.weekly")
            }
        }
    }
}
