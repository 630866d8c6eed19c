/// Something that was asked of the App Store, and that can be called off.
///
/// What the functions of ``SwiftyStoreKit`` return has been started already.
public protocol InAppRequest: AnyObject {
    /// Starts the request. Does nothing when it is running, or has ended.
    func start()
    /// Ends the wait: the completion is called once, with a cancelled error, unless it has been called before. Does nothing after that.
    func cancel()
}
