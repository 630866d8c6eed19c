/// Who finishes transactions.
public enum StoreMode: Sendable, Hashable {
    /// This store does, when they are delivered.
    case finishing
    /// Another library in the app does: this store never finishes anything.
    case observing
}
