import AppStoreSimulator
public import Foundation

/// A question to the App Store: the base of ``SKProductsRequest`` and ``SKReceiptRefreshRequest``.
///
/// Whoever starts a request has to keep it: a request that nobody keeps any more is cancelled, and its delegate hears nothing.
@available(iOS, deprecated: 18.0)
open class SKRequest: NSObject {
    private struct Contents {
        weak var delegate: (any SKRequestDelegate)?
        var running: SimulatedRequest?
    }

    private let contents = Protected(Contents())

    deinit {
        contents.current.running?.cancel()
    }

    /// Is told how the request ends; held weakly.
    open var delegate: (any SKRequestDelegate)? {
        get { contents.withLock { $0.delegate } }
        set { contents.withLock { $0.delegate = newValue } }
    }

    /// Withdraws the request. Does nothing when it is not running.
    open func cancel() {
        let running = contents.withLock { contents in
            defer { contents.running = nil }
            return contents.running
        }
        running?.cancel()
    }

    /// Sends the request. Does nothing while it is running; once it has ended or was cancelled, it can be sent again.
    open func start() {
        let reference = RequestReference(self)
        let request = makeRequest { reference.request?.receive($0) }
        let started = contents.withLock { contents in
            guard contents.running == nil else { return false }
            contents.running = request
            return true
        }
        if started { request?.start() }
    }

    /// The question that the request asks; `nil` for the base class, which asks none.
    func makeRequest(handler: @escaping @Sendable (SimulatedRequestEvent) -> Void) -> SimulatedRequest? {
        nil
    }

    /// Takes the products that a request for products is answered with.
    func receive(_ products: [SimulatedProduct], invalid: [String]) {}

    private func receive(_ event: SimulatedRequestEvent) {
        switch event {
        case .products(let products, let invalid):
            receive(products, invalid: invalid)
        case .finished:
            contents.withLock { $0.running = nil }
            delegate?.requestDidFinish(self)
        case .failed(let error):
            contents.withLock { $0.running = nil }
            delegate?.request(self, didFailWithError: error.foundationError)
        }
    }
}

@available(*, unavailable, message: "Apple's requests are not Sendable either.")
// @unchecked because: the conformance is unavailable; it only keeps subclasses and clients from taking it for Sendable.
extension SKRequest: @unchecked Sendable {}

/// Leads from an answer, which comes on any thread, back to its request.
// @unchecked because: the reference is set once; everything in a request that changes is behind its lock.
private final class RequestReference: @unchecked Sendable {
    private(set) weak var request: SKRequest?

    init(_ request: SKRequest) {
        self.request = request
    }
}
