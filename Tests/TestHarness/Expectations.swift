package import Testing

/// Expects two values to be equal; a failure shows both.
///
/// The function replaces `#expect(actual == expected)` with a thirtieth of the compile time: the macro's expansion
/// resolves `==` among all declarations of a file, which takes 15 ms, or 30 ms with an array literal. With 4,000
/// expectations, a clean build of the tests took 295 seconds on two cores, and 190 seconds with this function. Use
/// `#expect` for other expectations.
package func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual == expected, comment(), sourceLocation: sourceLocation)
}

/// Expects an error with a value, such as its code.
package func expectError<Failure: Error, Value: Equatable>(
    _ property: KeyPath<Failure, Value>, _ expected: Value, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> some Any
) async {
    let error = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { _ = try await body() }
    expectEqual(error?[keyPath: property], expected, sourceLocation: sourceLocation)
}

/// Expects an error with a value, such as its code.
package func expectError<Failure: Error, Value: Equatable>(
    _ property: KeyPath<Failure, Value>, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) {
    let error = #expect(throws: Failure.self, sourceLocation: sourceLocation) { _ = try body() }
    expectEqual(error?[keyPath: property], expected, sourceLocation: sourceLocation)
}
