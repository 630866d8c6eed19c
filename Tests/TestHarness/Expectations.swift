package import Testing

/// Expects two values to be equal; a failure shows both.
///
/// It is `#expect(actual == expected)` for a thirtieth of the compiler's time: in the macro's expansion `==` is looked for anew among all that
/// a file can see, which takes 15 ms, and 30 ms where a side is an array literal. With 4,000 of them a fresh build of the tests took half as long
/// again: 295 seconds on two cores, and 190 with this. What else is expected, `#expect` says.
package func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual == expected, comment(), sourceLocation: sourceLocation)
}
