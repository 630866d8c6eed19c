import Foundation
import StoreKit

/// Records the ends of requests. Called only on the test's thread.
final class RecordingRequestDelegate: NSObject, SKProductsRequestDelegate {
    private(set) var events: [String] = []
    private(set) var response: SKProductsResponse?
    private(set) var error: (any Error)?

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        events.append("response")
        self.response = response
    }

    func requestDidFinish(_ request: SKRequest) {
        events.append("finished")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        events.append("failed")
        self.error = error
    }
}
