import Foundation
import StoreKit

/// Writes down how requests end. Called on the test's own thread only.
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
