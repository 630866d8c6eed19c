/// Somebody who wants to hear of every event of one kind.
package struct Subscriber<Element: Sendable>: Sendable {
    let send: @Sendable (Element) -> Void
    let finish: @Sendable () -> Void

    package init(send: @escaping @Sendable (Element) -> Void, finish: @escaping @Sendable () -> Void = {}) {
        self.send = send
        self.finish = finish
    }
}

/// The subscribers of one kind of event. Every subscriber gets every event from the moment it subscribed.
struct Broadcast<Element: Sendable>: Sendable {
    private var subscribers: [CallID: Subscriber<Element>] = [:]
    /// What nobody was there to hear, for the first subscriber.
    private var backlog: [Element] = []
    private let keepsBacklog: Bool

    /// - Parameter keepsBacklog: Whether what nobody hears is kept for the first subscriber.
    init(keepsBacklog: Bool = false) {
        self.keepsBacklog = keepsBacklog
    }

    var isEmpty: Bool { subscribers.isEmpty }

    /// Adds a subscriber, who gets what is outstanding before anything else.
    mutating func subscribe(_ id: CallID, _ subscriber: Subscriber<Element>, outstanding: [Element] = []) {
        (backlog + outstanding).forEach(subscriber.send)
        backlog = []
        subscribers[id] = subscriber
    }

    mutating func unsubscribe(_ id: CallID) {
        subscribers[id] = nil
    }

    /// - Parameter wasDelivered: Whether somebody has been told of it in another way, so that it need not be kept.
    mutating func send(_ element: Element, wasDelivered: Bool = false) {
        if keepsBacklog, subscribers.isEmpty, !wasDelivered { backlog.append(element) }
        for subscriber in subscribers.values { subscriber.send(element) }
    }
}
