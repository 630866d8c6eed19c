import AppStoreSimulator
import StoreKit
import Support

@testable import AsyncStoreKit

extension LegacyWorld {
    /// Waits until the App Store has received a request, and has decided whether to respond.
    func firstRequest() async throws {
        _ = try await requests.first(1)
        try await appStore.idle()
    }
}

extension StoreKit1Environment {
    /// Returns the environment of a launch that records each request after the App Store has received the request.
    static func recording(_ launch: SimulatedLaunch, _ requests: Recorder<String>) -> StoreKit1Environment {
        let usual = StoreKit1Environment(launch: launch)
        return StoreKit1Environment(
            queue: usual.queue, canMakePayments: usual.canMakePayments,
            productsRequest: { ids in
                let request = RecordedProductsRequest(productIdentifiers: ids, launch: launch)
                request.requests = requests
                return request
            },
            receipt: DeviceReceipt(
                request: {
                    let request = RecordedReceiptRequest(launch: launch)
                    request.requests = requests
                    return request
                }, read: { launch.receipt }),
            trust: usual.trust)
    }
}

private final class RecordedProductsRequest: SKProductsRequest {
    var requests: Recorder<String>?

    override func start() {
        super.start()
        requests?.record("products")
    }
}

private final class RecordedReceiptRequest: SKReceiptRefreshRequest {
    var requests: Recorder<String>?

    override func start() {
        super.start()
        requests?.record("receipt")
    }
}
