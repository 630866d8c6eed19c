/// What a backend did other than it must.
package struct BehaviorViolation: Error, Sendable, CustomStringConvertible {
    /// What was expected, and what was seen.
    package let description: String
    /// Where it was expected.
    package let line: UInt
}
