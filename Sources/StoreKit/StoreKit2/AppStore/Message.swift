package import AppStoreSimulator

/// A message of the App Store to the customer, which the app may show when it suits.
public struct Message: Hashable, Sendable {
    /// What a message is about.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// Anything else.
        public static let generic = Reason(rawValue: 0)
        /// A higher price needs the customer's consent.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// The App Store couldn't collect the price of a renewal.
        public static let billingIssue = Reason(rawValue: 2)
        /// A win-back offer is available.
        public static let winBackOffer = Reason(rawValue: 3)

        /// The type of the raw value.
        public typealias RawValue = Int

        /// The raw value.
        public let rawValue: Int

        /// Makes a value, which may be one that has no name here.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// What it is about.
    public let reason: Message.Reason

    /// The messages to the customer. Whoever listens gets what came before, too.
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
    /// Messages, as they come. Whoever makes an iterator listens from then on.
    public struct Messages: AsyncSequence, Sendable {
        /// What comes.
        public typealias Element = Message

        fileprivate let launch: SimulatedLaunch

        /// Walks through what comes.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// What comes.
            public typealias Element = Message.Messages.Element

            fileprivate var base: AsyncStream<Message>.Iterator

            /// Waits for the next one; `nil` when the task is cancelled.
            public mutating func next() async -> Message.Messages.Element? {
                await base.next(isolation: #isolation)
            }
        }

        /// Listens from now on.
        public func makeAsyncIterator() -> Message.Messages.AsyncIterator {
            let stream: AsyncStream<Message> = launch.stream(of: .messages) { update in
                if case .message(let message) = update { Message(reason: Reason(rawValue: message.rawValue)) } else { nil }
            }
            return AsyncIterator(base: stream.makeAsyncIterator())
        }
    }
}
