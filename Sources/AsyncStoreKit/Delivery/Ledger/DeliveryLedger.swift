public import Foundation

/// A file that remembers which purchases were delivered, across launches: opt-in, with
/// ``StoreConfiguration/deliveryLedger``.
///
/// The store writes the delivery key of each purchase that was delivered successfully, and waits until the file is on
/// the disk. Only then it finishes the transaction. A transaction that comes again later, because finishing it failed
/// or the app ended before, isn't delivered a second time: the store only finishes it again. That holds in this launch
/// and in later ones, after a restore, and after a change of engine.
///
/// The file is for apps without a server. It doesn't replace an idempotent delivery: if the app ends after it has
/// delivered and before the key is written, the purchase is delivered again. See <doc:DeliverOnce>.
///
/// The file keeps the newest 2,000 purchases, and the contexts of purchases that aren't delivered yet, for 30 days
/// before the newest purchase; see ``PurchaseOption/context(_:)``. One process writes at a time. Keep the file in a
/// folder that is backed up together with what the app has delivered. A file that can't be read or written never keeps
/// the store from delivering or finishing: ``StoreDiagnostics/deliveryLedgerError`` and an error in the log say why.
public struct DeliveryLedger: Sendable {
    /// A step of reading or writing the file.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        /// Before the file is opened for reading.
        case read
        /// Before each attempt to lock the file.
        case lock
        /// Before a new file is written.
        case write
        /// When the disk has the new file, before it replaces the old one.
        case replace
        /// When everything is written.
        case written
    }

    /// The file.
    public let url: URL
    /// The transactions that your earlier code has delivered without finishing them, by ``StoreTransaction/id`` or
    /// ``StorePurchase/deliveryKey``. The store only finishes them.
    ///
    /// Set it before the first launch of a version with this package, from what your earlier code has recorded. See
    /// <doc:MigratingFromOtherLibraries>.
    public var deliveredTransactionIDs: Set<String> = []
    /// The date before which every purchase is treated as delivered, for earlier code that recorded nothing: the date
    /// of the release with this package. `nil` by default. The store only finishes earlier purchases.
    ///
    /// A purchase that your earlier code could not deliver before this date is lost. Customers can restore
    /// non-consumables and subscriptions, but not consumables. Prefer ``deliveredTransactionIDs``.
    public var deliveredBefore: Date?
    /// Called before each step. An error is treated as the failure of the step.
    package var willPerform: @Sendable (Step) -> Result<Void, StoreError> = { _ in .success(()) }

    /// Creates a ledger in a file of the app's choice. The store creates the file and its folder when there is
    /// something to write.
    ///
    /// Choose a file that nothing else writes to. A file with other contents is renamed before the first write:
    /// `.damaged` is appended to its name.
    /// - Parameter url: The file, in the app's own container. In a folder that the app shares with its extensions, the
    ///   system may end an app that is suspended while it writes.
    public init(url: URL) {
        self.url = url
    }

    /// Creates a ledger in the file `AsyncStoreKit/Deliveries` of the app's Application Support folder.
    ///
    /// On tvOS, the file is in the Caches folder, which the system may empty; see <doc:DeliverOnce>. On a Mac, an app
    /// without the sandbox shares the Application Support folder with other apps. There, the file is in a folder that
    /// is named after the app: `com.example.app/AsyncStoreKit/Deliveries`.
    public init() {
        self.init(url: StoreFolder().file("Deliveries"))
    }
}

extension DeliveryLedger: Hashable {
    /// Whether both are the same file.
    public static func == (left: DeliveryLedger, right: DeliveryLedger) -> Bool { left.url == right.url }

    /// Hashes the file's URL.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

extension DeliveryLedger: CustomStringConvertible {
    /// The name of the file, without its folder.
    public var description: String { "ledger \"\(url.lastPathComponent)\"" }
}
