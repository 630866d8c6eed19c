/// A broadcast that keeps what nobody was there to hear for the first subscriber.
struct BackloggedBroadcast<Element: Sendable>: Sendable {
    private var broadcast = Broadcast<Element>()
    private var unheard: [Element] = []

    /// Adds a subscriber, who gets what nobody has heard before anything else.
    mutating func subscribe(_ id: CallID, _ subscriber: Subscriber<Element>) {
        broadcast.subscribe(id, subscriber, outstanding: unheard)
        unheard = []
    }

    mutating func unsubscribe(_ id: CallID) {
        broadcast.unsubscribe(id)
    }

    mutating func send(_ element: Element) {
        if broadcast.isEmpty { unheard.append(element) }
        broadcast.send(element)
    }

    /// Ends every subscriber's loop.
    mutating func finish() {
        broadcast.finish()
    }
}
