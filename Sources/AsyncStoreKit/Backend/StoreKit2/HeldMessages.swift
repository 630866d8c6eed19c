/// The messages that the App Store has sent, until the app has shown them.
///
/// `Place` is the scene in which a message is shown, or `Never` on systems where the App Store shows its messages by
/// itself.
final class HeldMessages<Place>: Sendable {
    typealias Display = @MainActor @Sendable (Place) throws -> Void

    private let displays = Locked<[StoreMessage.ID: Display]>([:])

    func hold(_ message: StoreMessage, display: @escaping Display) {
        displays.withLock { $0[message.id] = display }
    }

    /// Shows a message, and forgets the message if it was shown.
    /// - Throws: ``StoreError/Code/unsupported`` for a message that this process hasn't received, or has shown.
    @MainActor func display(_ message: StoreMessage, in place: Place) throws {
        guard let display = displays.withLock({ $0[message.id] }) else {
            throw StoreError(
                .unsupported, "The App Store hasn't sent the message to this process, or the message was shown.")
        }
        try display(place)
        displays.withLock { $0[message.id] = nil }
    }
}

extension HeldMessages where Place == Never {
    func startReceiving(_ receive: @escaping @Sendable (StoreMessage) -> Void) -> StoreKit2Listening {
        {}
    }
}
