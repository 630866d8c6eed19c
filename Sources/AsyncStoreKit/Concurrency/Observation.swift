/// Makes an iterator of a sequence, and returns a task that passes each element to a closure.
///
/// The iterator exists when the function returns. A sequence that buffers elements for its iterators loses none of the
/// elements that arrive before the task runs for the first time. Cancel the task to stop. An error of the sequence ends
/// the task.
func observe<Source: AsyncSequence, Element: Sendable>(
    _ sequence: sending Source, _ receive: @escaping @Sendable (Element) -> Void
) -> Task<Void, Never> where Source.Element == Element {
    var iterator = sequence.makeAsyncIterator()
    let next: @concurrent () async throws -> Element? = { try await iterator.next() }
    return Task.detached {
        while let element = try? await next() { receive(element) }
    }
}
