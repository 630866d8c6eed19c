public import Foundation

/// Is told how a request ends. The request holds its delegate weakly.
@available(iOS, deprecated: 18.0)
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request has come to its end.
    func requestDidFinish(_ request: SKRequest)
    /// The request has failed.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

// What Apple declares as optional.
extension SKRequestDelegate {
    /// Does nothing.
    public func requestDidFinish(_ request: SKRequest) {}

    /// Does nothing.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}
