import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct SecondStoreTests {
    private struct Courier: PurchaseDelivery {
        func deliver(_ request: DeliveryRequest) async -> DeliveryDecision { .accepted }
    }

    private let appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: []))
    private let log = Recorder<StoreLogEvent>()
    private let folder = TemporaryFolder()

    private func sharing() -> SharedStoreCore {
        let launch = appStore.launch()
        return SharedStoreCore { _ in SimulatedBackend(launch: launch) }
    }

    private func logged(_ configuration: StoreConfiguration) -> StoreConfiguration {
        var configuration = configuration
        configuration.log = { [log] in log.record($0) }
        return configuration
    }

    @Test func `a second store logs an error that names its ignored settings`() {
        let sharing = sharing()
        let file = EntitlementFile(url: folder.file("entitlements"))
        let first = PurchaseStore(sharing: sharing)
        let second = PurchaseStore(
            sharing: sharing,
            configuration: logged(
                StoreConfiguration(
                    restoreTimeout: 5, delivery: Courier(), entitlementCache: file, clock: SimulatedClock())))
        #expect(first.core === second.core)
        expectEqual(log.elements.map(\.level), [.error])
        let message = log.elements.first?.message ?? ""
        for name in ["restoreTimeout", "delivery", "entitlementCache", "clock"] { #expect(message.contains(name)) }
        #expect(!message.contains("productsTimeout"))
    }

    @Test func `a second store with the same configuration, or with none, logs nothing`() {
        let sharing = sharing()
        let configuration = logged(
            StoreConfiguration(
                restoreTimeout: 5, delivery: Courier(), nonRenewingDurations: ["season": 60],
                entitlementCache: EntitlementFile(url: folder.file("entitlements")), clock: SimulatedClock()))
        let stores = [configuration, configuration, logged(StoreConfiguration())].map {
            PurchaseStore(sharing: sharing, configuration: $0)
        }
        #expect(stores[0].core === stores[2].core)
        expectEqual(log.elements, [])
    }

    @Test func `another cache is a different setting, and errors are written by default`() {
        func configuration(_ path: String) -> StoreConfiguration {
            StoreConfiguration(entitlementCache: EntitlementFile(url: URL(fileURLWithPath: path)))
        }
        expectEqual(configuration("/tmp/b").ignoredSettings(under: configuration("/tmp/a")), ["entitlementCache"])
        expectEqual(configuration("/tmp/a").ignoredSettings(under: configuration("/tmp/a")), [])
        #expect(!StoreConfiguration().hasOwnLog && logged(StoreConfiguration()).hasOwnLog)
        #expect(StoreConfiguration(log: { _ in }).hasOwnLog)
    }
}
