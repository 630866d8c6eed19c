public import Foundation

/// Receives the end of a request. The request holds its delegate weakly.
@available(iOS, deprecated: 18.0)
public protocol SKRequestDelegate: NSObjectProtocol {
    /// Reports that the request is complete.
    func requestDidFinish(_ request: SKRequest)
    /// Reports that the request failed.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

// Apple declares these requirements as optional.
extension SKRequestDelegate {
    /// Does nothing.
    public func requestDidFinish(_ request: SKRequest) {}

    /// Does nothing.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}
