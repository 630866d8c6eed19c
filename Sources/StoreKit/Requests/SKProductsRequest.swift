package import AppStoreSimulator
import Foundation

/// A request that loads products from the App Store.
///
/// Identifiers without a product aren't an error: the response lists them as invalid.
@available(iOS, deprecated: 18.0)
open class SKProductsRequest: SKRequest {
    private let productIdentifiers: Set<String>
    private let launch: SimulatedLaunch?

    /// Creates a request for the products with these identifiers.
    public init(productIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        launch = nil
    }

    /// Creates a request without identifiers.
    public override convenience init() {
        self.init(productIdentifiers: [])
    }

    /// Creates a request for one launch of the app.
    package init(productIdentifiers: Set<String>, launch: SimulatedLaunch) {
        self.productIdentifiers = productIdentifiers
        self.launch = launch
    }

    /// The delegate of the request, held weakly: the delegate of the base class with a narrower type.
    // Swift can't override a property with another type; Objective-C, where this declaration comes from, can.
    @_nonoverride
    open var delegate: (any SKProductsRequestDelegate)? {
        get { super.delegate as? any SKProductsRequestDelegate }
        set { super.delegate = newValue }
    }

    override func makeRequest(handler: @escaping @Sendable (SimulatedRequestEvent) -> Void) -> SimulatedRequest? {
        (launch ?? StoreKitSimulation.launch).productsRequest(productIdentifiers, handler: handler)
    }

    override func receive(_ products: [SimulatedProduct], invalid: [String]) {
        let launch = launch ?? StoreKitSimulation.launch
        let (localeIdentifier, storefront) = (launch.store.localeIdentifier, launch.storefront)
        let response = SKProductsResponse(
            products: products.map { SKProduct($0, localeIdentifier: localeIdentifier, storefront: storefront) },
            invalidProductIdentifiers: invalid)
        delegate?.productsRequest(self, didReceive: response)
    }
}

/// Receives the response to a products request. The request holds its delegate weakly.
@available(iOS, deprecated: 18.0)
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// Delivers the response. ``SKRequestDelegate/requestDidFinish(_:)`` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
