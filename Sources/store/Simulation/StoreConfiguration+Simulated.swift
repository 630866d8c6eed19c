import AsyncStoreKit
import AsyncStoreKitTesting

extension StoreConfiguration {
    /// For a simulated App Store, which answers as soon as the machine gets round to it: no time runs out meanwhile.
    static var simulated: StoreConfiguration { StoreConfiguration(clock: ManualClock()) }
}
