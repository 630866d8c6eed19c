public import Foundation

/// An error of a wait whose expected event didn't occur in time.
public struct WaitExpired: Error, Sendable, CustomStringConvertible {
    /// The default timeout of a wait: 10 seconds.
    ///
    /// The waits usually end within milliseconds. The timeout allows for busy machines and sanitizers.
    public static let limit: TimeInterval = 10

    /// The expected event.
    public let what: String
    /// The timeout in seconds.
    public let seconds: TimeInterval
    /// The state at the timeout.
    public let state: String

    /// The expected event, the timeout and the state.
    public var description: String { "waited \(seconds.formatted()) s for \(what); the state is \(state)" }
}
