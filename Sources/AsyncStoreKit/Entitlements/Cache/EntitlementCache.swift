public import Foundation

/// Saves the customer's entitlements between two launches of the app: opt-in, with
/// ``StoreConfiguration/entitlementCache``.
///
/// The data are texts that Apple has signed, two dates, the customer, and a seal. The texts are verified again when
/// they are loaded: the signature up to Apple's root, the app, the environment, and the device. Your app contains no
/// key. A person who changes the data only loses some of them. Problems are in ``StoreEntitlements/doubts``.
public protocol EntitlementCache: Sendable {
    /// Returns the data that was saved last, or `nil` if nothing was saved. A store calls it once, off the main thread.
    /// An ``EntitlementReader`` calls it on the caller's thread.
    func load() throws -> Data?
    /// Replaces the saved data. Called off the main thread, one call after the other. An
    /// ``EntitlementReader`` never calls it.
    func save(_ data: Data) throws
}
