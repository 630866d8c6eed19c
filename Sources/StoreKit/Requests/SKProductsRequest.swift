package import AppStoreSimulator
import Foundation

/// Asks the App Store for products.
///
/// Identifiers that name no product are not an error: the response lists them.
@available(iOS, deprecated: 18.0)
open class SKProductsRequest: SKRequest {
    private let productIdentifiers: Set<String>
    private let launch: SimulatedLaunch?

    /// Makes a request for the products with these identifiers.
    public init(productIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        launch = nil
    }

    /// Makes a request for nothing.
    public override convenience init() {
        self.init(productIdentifiers: [])
    }

    /// Makes a request that one run of the app asks.
    package init(productIdentifiers: Set<String>, launch: SimulatedLaunch) {
        self.productIdentifiers = productIdentifiers
        self.launch = launch
    }

    /// Is told what the App Store says; held weakly. It is the same delegate as the base class's, by its narrower type.
    // Swift lets no property be overridden by one of another type; Objective-C, where this comes from, does.
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

/// Is told what the App Store says about products. The request holds its delegate weakly.
@available(iOS, deprecated: 18.0)
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The reply has come; ``SKRequestDelegate/requestDidFinish(_:)`` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
