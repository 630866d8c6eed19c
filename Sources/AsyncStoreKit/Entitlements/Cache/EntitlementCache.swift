public import Foundation

/// Where a store keeps what the customer owns between two runs of the app: opt-in, with ``StoreConfiguration/entitlementCache``.
///
/// What is kept are the texts that Apple has signed, and nothing else. They are verified again when they are loaded: the signature up to
/// Apple's root, the app and the device. So there is no key in the app to find, and whoever changes the data only loses it. What is
/// found wrong with it is in ``StoreEntitlements/doubts``.
public protocol EntitlementCache: Sendable {
    /// What was saved last; `nil` when nothing was. Called once, off the main thread.
    func load() throws -> Data?
    /// Keeps `data` in the place of what was kept before. Called off the main thread, one call after the other.
    func save(_ data: Data) throws
}
