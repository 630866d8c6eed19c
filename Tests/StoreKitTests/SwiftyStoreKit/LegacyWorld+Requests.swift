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

/// An environment that records each request for products after the App Store has received the request.
struct RecordingRequests: RelayEnvironment {
    let next: any StoreKit2Environment
    let requests: Recorder<String>

    func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product] {
        // The task sends the request before it suspends.
        let answer = Task.immediate { () async -> Result<[StoreKit2Product], StoreError> in
            do throws(StoreError) { return .success(try await next.products(ids)) } catch { return .failure(error) }
        }
        requests.record("products")
        return try await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            answer.cancel()
        }.get()
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
