package import AppStoreSimulator
public import Foundation

/// A country's App Store.
public struct Storefront: Identifiable, Sendable {
    /// The type of the identifier.
    public typealias ID = String

    /// Apple's identifier of the storefront.
    public let id: String
    /// The three-letter country code, ISO 3166-1 alpha-3.
    public let countryCode: String

    private let currencyCode: String?

    package init(_ storefront: SimulatedStorefront) {
        id = storefront.id
        countryCode = storefront.countryCode
        currencyCode = storefront.currencyCode
    }

    /// The currency of the country's prices, if it is known.
    public var currency: Locale.Currency? {
        currencyCode.map { Locale.Currency($0) }
    }

    /// The storefront of the account, if it is known.
    public static var current: Storefront? {
        get async { current(of: StoreKitSimulation.currentLaunch) }
    }

    /// The storefront of the account in one launch.
    package static func current(of launch: SimulatedLaunch) -> Storefront? {
        launch.storefront.map { Storefront($0) }
    }

    /// The storefronts to which the account moves.
    public static var updates: Storefront.Storefronts {
        updates(of: StoreKitSimulation.currentLaunch)
    }

    /// The storefronts to which the account moves during one launch.
    package static func updates(of launch: SimulatedLaunch) -> Storefronts {
        Storefronts(launch: launch)
    }
}

extension Storefront {
    /// Storefronts, as the account moves. Whoever makes an iterator listens from then on.
    public struct Storefronts: AsyncSequence, Sendable {
        /// What comes.
        public typealias Element = Storefront

        fileprivate let launch: SimulatedLaunch

        /// Walks through what comes.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// What comes.
            public typealias Element = Storefront

            fileprivate var base: AsyncStream<Storefront>.Iterator

            /// Waits for the next one; `nil` when the task is cancelled.
            public mutating func next() async -> Storefront? {
                await base.next(isolation: #isolation)
            }
        }

        /// Listens from now on.
        public func makeAsyncIterator() -> Storefront.Storefronts.AsyncIterator {
            let stream: AsyncStream<Storefront> = launch.stream(of: .storefronts) { update in
                if case .storefront(let storefront) = update { Storefront(storefront) } else { nil }
            }
            return AsyncIterator(base: stream.makeAsyncIterator())
        }
    }
}
