package import Testing

/// Expects two values to be equal; a failure shows both.
///
/// It is `#expect(actual == expected)` for a thirtieth of the compiler's time. The macro's `==` is looked for among all that a file can see, anew
/// for each expectation, which takes 15 ms, and 30 ms where a side is an array literal. There are more than 3,000 of these in the
/// tests; they took a fifth of the time of a fresh `swift test`. Whatever else is expected, `#expect` says it.
package func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual == expected, comment(), sourceLocation: sourceLocation)
}
