/// A fault of a list of transactions that StoreKit 2 reads. See ``SimulatorBehavior/unfinishedListing`` and
/// ``SimulatedAppStore/setNextListingFault(_:for:)``.
public enum SimulatedListingFault: Sendable, Hashable {
    /// Nothing: the list is complete and up to date.
    case none
    /// The list is empty.
    case empty
    /// The list is out of date: it's what it was before the latest changes of the account's transactions.
    ///
    /// Each transaction that is paid, finished, refunded, or signed again is a change. The list contains transactions
    /// that were finished or refunded since, as they were signed then, and lacks those that were paid since.
    case stale(changes: Int)
    /// Some transactions are missing: each with a probability of one half, and at least one of them.
    case partial
    /// The list is read at the time of the call, and reaches the reader late: after the App Store has delivered this
    /// many more events, or when ``SimulatedAppStore/releaseListings()`` is called.
    ///
    /// A list that is late isn't a pending event: an App Store can be idle while a reader still waits for a list.
    case late(events: Int)
}
