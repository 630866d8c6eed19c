/// An asynchronous function that throws store errors, as a value to keep.
///
/// Keep this type instead of a function: systems before iOS 18, macOS 15, tvOS 18, watchOS 11 and visionOS 2 have no
/// metadata for a function type with a typed error. A value that keeps such a function ends the process when it's
/// printed, and so does a view that SwiftUI shows.
package struct StoreFunction<Input: Sendable, Output: Sendable>: Sendable {
    private let body: @concurrent @Sendable (Input) async -> Result<Output, StoreError>

    package init(_ body: @escaping @Sendable (Input) async throws(StoreError) -> Output) {
        self.body = { input in
            do throws(StoreError) {
                return .success(try await body(input))
            } catch {
                return .failure(error)
            }
        }
    }

    package func callAsFunction(_ input: Input) async throws(StoreError) -> Output {
        try await body(input).get()
    }
}

extension StoreFunction where Input == Void {
    package func callAsFunction() async throws(StoreError) -> Output {
        try await self(())
    }
}
