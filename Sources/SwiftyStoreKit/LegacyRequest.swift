/// A call of the old API that can be cancelled. Calling it off twice, or when it is over, does nothing: the store sees to that.
final class LegacyRequest: InAppRequest, Sendable {
    private let end: @Sendable () -> Void

    init(cancel end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    func start() {}

    func cancel() {
        end()
    }
}
