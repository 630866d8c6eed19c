import AppStoreSimulator
public import Foundation

/// A request to the App Store: the base class of ``SKProductsRequest`` and ``SKReceiptRefreshRequest``.
///
/// Keep a strong reference to a running request. Releasing a request cancels it, and its delegate isn't called.
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

    /// The delegate of the request, held weakly.
    open var delegate: (any SKRequestDelegate)? {
        get { contents.withLock { $0.delegate } }
        set { contents.withLock { $0.delegate = newValue } }
    }

    /// Cancels the request. Does nothing if the request isn't running.
    open func cancel() {
        let running = contents.withLock { contents in
            defer { contents.running = nil }
            return contents.running
        }
        running?.cancel()
    }

    /// Sends the request. Does nothing while the request is running. An ended or canceled request can be sent again.
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

    /// Returns the simulator's request, or `nil` for the base class.
    func makeRequest(handler: @escaping @Sendable (SimulatedRequestEvent) -> Void) -> SimulatedRequest? {
        nil
    }

    /// Delivers the response to a products request. Does nothing in the base class.
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

/// A weak reference from the simulator's handler, which runs on any thread, to its request.
// @unchecked because: only the initializer sets the reference; a request's mutable state is behind its lock.
private final class RequestReference: @unchecked Sendable {
    private(set) weak var request: SKRequest?

    init(_ request: SKRequest) {
        self.request = request
    }
}
