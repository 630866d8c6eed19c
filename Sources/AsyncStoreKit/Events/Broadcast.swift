/// A subscriber to one kind of event.
package struct Subscriber<Element: Sendable>: Sendable {
    let send: @Sendable (Element) -> Void
    var finish: @Sendable () -> Void = {}
}

/// The subscribers of one kind of event. Each subscriber receives every event after its subscription.
struct Broadcast<Element: Sendable>: Sendable {
    /// In the order of their subscriptions.
    private var subscribers: [(id: CallID, subscriber: Subscriber<Element>)] = []
    /// Events that had no subscriber, for the first one.
    private var backlog: [Element] = []
    private let keepsBacklog: Bool
    private let limit: Int

    /// - Parameter limit: The number of events that are kept. The oldest ones are dropped first.
    init(keepsBacklog: Bool = false, limit: Int = .max) {
        self.keepsBacklog = keepsBacklog
        self.limit = limit
    }

    var isEmpty: Bool { subscribers.isEmpty }

    /// Adds a subscriber, and sends it the outstanding elements first.
    mutating func subscribe(_ id: CallID, _ subscriber: Subscriber<Element>, outstanding: [Element] = []) {
        (backlog.suffix(limit) + outstanding).forEach(subscriber.send)
        backlog = []
        subscribers.append((id, subscriber))
    }

    mutating func unsubscribe(_ id: CallID) {
        subscribers.removeAll { $0.id == id }
    }

    /// - Parameter wasDelivered: Whether the element has reached the app in another way and needn't be kept.
    mutating func send(_ element: Element, wasDelivered: Bool = false) {
        if keepsBacklog, subscribers.isEmpty, !wasDelivered {
            // Many at once, because a removal moves the rest.
            if backlog.count / 2 >= limit { backlog.removeFirst(limit) }
            backlog.append(element)
        }
        for (_, subscriber) in subscribers { subscriber.send(element) }
    }
}
