/// Something worth a line in a log. No event carries a receipt, a shared secret or a user's name.
public struct StoreLogEvent: Sendable, Hashable {
    /// How much it matters.
    public enum Level: Sendable, Hashable, Comparable {
        /// Of interest while debugging.
        case debug
        /// Something happened that is worth knowing.
        case notice
        /// Something is wrong in the app, or at the App Store.
        case warning
    }

    /// How much it matters.
    public let level: Level
    /// What happened.
    public let message: String

    /// Makes an event.
    public init(_ level: Level, _ message: String) {
        self.level = level
        self.message = message
    }
}
