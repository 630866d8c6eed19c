public import Foundation

/// Saves the customer's entitlements between two launches of the app: opt-in, with
/// ``StoreConfiguration/entitlementCache``.
///
/// The data are texts that Apple has signed, two dates, the customer, and a seal. The texts are verified again when
/// they are loaded: the signature up to Apple's root, the app, the environment, and the device. Your app contains no
/// key. A person who changes the data only loses some of them. Problems are in ``StoreEntitlements/issues``.
public protocol EntitlementCache: Sendable {
    /// Returns the data that was saved last, or `nil` if nothing was saved. A store calls it off the main thread: once,
    /// and again after it has thrown an error, as before the device is unlocked for the first time after its start. An
    /// ``EntitlementReader`` calls it on the caller's thread.
    func load() throws -> Data?
    /// Replaces the saved data. Called serially, off the main thread. An ``EntitlementReader`` never calls it.
    func save(_ data: Data) throws
    /// Removes the saved data, for ``PurchaseStore/eraseStoredData(of:)``. The default implementation saves empty data,
    /// which is the same as none.
    func erase() throws
}

extension EntitlementCache {
    /// Saves empty data.
    public func erase() throws {
        try save(Data())
    }
}
