public import Foundation

/// What a test waited for did not come in time.
public struct WaitExpired: Error, Sendable, CustomStringConvertible {
    /// How long a test waits for one thing unless it says otherwise: 10 seconds.
    ///
    /// Nothing here takes a thousandth of that. It is so long for the sake of busy machines and sanitizers.
    public static let limit: TimeInterval = 10

    /// What was waited for.
    public let what: String
    /// For how many seconds.
    public let seconds: TimeInterval
    /// What there was instead.
    public let state: String

    /// What was waited for, how long, and what there was instead.
    public var description: String { "waited \(Int(seconds)) s for \(what); there is \(state)" }
}
