package import AppStoreSimulator

/// An App Store message for the customer, which the app can show at a suitable time.
public struct Message: Hashable, Sendable {
    /// The reason for a message.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// Another reason.
        public static let generic = Reason(rawValue: 0)
        /// A higher price needs the customer's consent.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// The payment of a renewal failed.
        public static let billingIssue = Reason(rawValue: 2)
        /// The customer is eligible for a win-back offer.
        public static let winBackOffer = Reason(rawValue: 3)

        /// The type of the raw value.
        public typealias RawValue = Int

        /// The raw value.
        public let rawValue: Int

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// The reason for the message.
    public let reason: Message.Reason

    /// The messages to the customer. The sequence begins with earlier elements.
    public static var messages: Message.Messages {
        messages(of: StoreKitSimulation.currentLaunch)
    }

    /// The messages to the customer during one launch.
    package static func messages(of launch: SimulatedLaunch) -> Messages {
        Messages(launch: launch)
    }
}

extension Message.Reason {
    /// The name of the reason, in English.
    public var localizedDescription: String {
        switch self {
        case .generic: "Generic"
        case .priceIncreaseConsent: "Price Increase Consent"
        case .billingIssue: "Billing Issue"
        case .winBackOffer: "Win-Back Offer"
        default: "Unknown"
        }
    }
}

extension Message {
    /// A sequence of new messages. Observation starts when an iterator is created.
    public struct Messages: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Message

        fileprivate let launch: SimulatedLaunch

        /// An iterator that waits for the next element.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// The type of the elements.
            public typealias Element = Message.Messages.Element

            fileprivate var base: AsyncStream<Message>.Iterator

            /// Waits for the next element. Returns `nil` if the task is canceled.
            public mutating func next() async -> Message.Messages.Element? {
                await base.next(isolation: #isolation)
            }
        }

        /// Returns an iterator that observes events from now on.
        public func makeAsyncIterator() -> Message.Messages.AsyncIterator {
            let stream: AsyncStream<Message> = launch.stream(of: .messages) { update in
                if case .message(let message) = update {
                    Message(reason: Reason(rawValue: message.rawValue))
                } else {
                    nil
                }
            }
            return AsyncIterator(base: stream.makeAsyncIterator())
        }
    }
}
