import AsyncStoreKit

extension MigratedApp {
    func checkSubscription() async {
        let weekly = "com.example.weekly"
        let entitlements = await store.entitlements.current
        if entitlements.contains(weekly) {
            unlock(weekly)
        } else if entitlements.basis != .unknown {
            lock(weekly)
            if entitlements[weekly]?.state == .expired { show("Expired") }
        }
    }

    func followEntitlements() async {
        for await entitlements in store.entitlements where entitlements.basis != .unknown {
            if entitlements.contains("com.example.weekly") {
                unlock("com.example.weekly")
            } else {
                lock("com.example.weekly")
            }
        }
    }
}
