/// A fault of a list of transactions that StoreKit 2 reads. See ``SimulatorBehavior/unfinishedListing`` and
/// ``SimulatedAppStore/setNextListingFault(_:for:)``.
public enum SimulatedListingFault: Sendable, Hashable {
    /// The list is complete and up to date.
    case none
    /// The list is empty.
    case empty
    /// The list is out of date: the state before the latest changes of the account's transactions.
    ///
    /// Each transaction that is paid, finished, refunded, or signed again is a change. The list contains transactions
    /// that were finished or refunded since, as they were signed then, and lacks those that were paid since.
    case stale(changes: Int)
    /// At least one transaction is missing. Each transaction is missing with a probability of one half.
    case partial
    /// The list is read at the time of the call, but reaches the reader late: after the App Store has delivered this
    /// number of further events, or when ``SimulatedAppStore/releaseListings()`` is called.
    ///
    /// A late list isn't a pending event: an App Store can be idle while a reader is waiting for a list.
    case late(events: Int)
}
