/// Somebody who wants to hear of every event of one kind.
package struct Subscriber<Element: Sendable>: Sendable {
    let send: @Sendable (Element) -> Void
    let finish: @Sendable () -> Void

    package init(send: @escaping @Sendable (Element) -> Void, finish: @escaping @Sendable () -> Void) {
        self.send = send
        self.finish = finish
    }
}

/// The subscribers of one kind of event. Every subscriber gets every event from the moment it subscribed.
struct Broadcast<Element: Sendable>: Sendable {
    private var subscribers: [CallID: Subscriber<Element>] = [:]

    var isEmpty: Bool { subscribers.isEmpty }

    /// Adds a subscriber, who gets what is outstanding before anything else.
    mutating func subscribe(_ id: CallID, _ subscriber: Subscriber<Element>, outstanding: [Element]) {
        outstanding.forEach(subscriber.send)
        subscribers[id] = subscriber
    }

    mutating func unsubscribe(_ id: CallID) {
        subscribers[id] = nil
    }

    func send(_ element: Element) {
        for subscriber in subscribers.values { subscriber.send(element) }
    }

    /// Ends every subscriber's loop.
    mutating func finish() {
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
    }
}
