package import AppStoreSimulator
public import Foundation

/// The App Store of a country or region.
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

    /// The currency of the storefront's prices, if known.
    public var currency: Locale.Currency? {
        currencyCode.map { Locale.Currency($0) }
    }

    /// The storefront of the account, if known.
    public static var current: Storefront? {
        get async { current(of: StoreKitSimulation.currentLaunch) }
    }

    /// Returns the storefront of the account in one launch.
    package static func current(of launch: SimulatedLaunch) -> Storefront? {
        launch.storefront.map { Storefront($0) }
    }

    /// The storefronts that the account changes to.
    public static var updates: Storefront.Storefronts {
        updates(of: StoreKitSimulation.currentLaunch)
    }

    /// Returns the storefronts that the account changes to during one launch.
    package static func updates(of launch: SimulatedLaunch) -> Storefronts {
        Storefronts(launch: launch)
    }
}

extension Storefront {
    /// A sequence of the account's new storefronts. Observation starts when an iterator is created.
    public struct Storefronts: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Storefront

        fileprivate let launch: SimulatedLaunch

        /// An iterator that waits for the next element.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// The type of the elements.
            public typealias Element = Storefront

            fileprivate var base: AsyncStream<Storefront>.Iterator

            /// Waits for the next element. Returns `nil` if the task is canceled.
            public mutating func next() async -> Storefront? {
                await base.next(isolation: #isolation)
            }
        }

        /// Returns an iterator that observes events from now on.
        public func makeAsyncIterator() -> Storefront.Storefronts.AsyncIterator {
            let stream: AsyncStream<Storefront> = launch.stream(of: .storefronts) { update in
                if case .storefront(let storefront) = update { Storefront(storefront) } else { nil }
            }
            return AsyncIterator(base: stream.makeAsyncIterator())
        }
    }
}
