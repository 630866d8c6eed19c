/// What a backend did other than it must.
public struct BehaviorViolation: Error, Sendable, CustomStringConvertible {
    /// What was expected, and what was seen.
    public let description: String
    /// Where it was expected.
    public let line: UInt
}
