/// Is told what the App Store says about products. The request holds its delegate weakly.
@available(iOS, deprecated: 18.0)
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The reply has come; ``SKRequestDelegate/requestDidFinish(_:)`` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
