import AppStoreSimulator
public import Foundation

extension AppTransaction {
    /// The store in which the customer got the app.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The App Store for consumers.
        public static let consumer = StoreType(rawValue: "CONSUMER")
        /// The store for educational institutions.
        public static let education = StoreType(rawValue: "EDUCATION")
        /// The store for businesses.
        public static let enterprise = StoreType(rawValue: "ENTERPRISE")

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The store in which the customer got the app. The simulated App Store is one for consumers.
    public var storeType: AppTransaction.StoreType { .consumer }

    /// The store in which the customer got the app.
    @available(iOS, deprecated: 27.0)
    public var storeTypeStringRepresentation: String { storeType.rawValue }

    /// The date on which the app was revoked; `nil` if the app isn't revoked.
    public var revocationDate: Date? { nil }

    /// The app transactions of every Apple Account on the device. The simulated device has one account.
    public static var all: AppTransaction.AppTransactions { AppTransactions(launch: StoreKitSimulation.currentLaunch) }

    /// The app transactions of every Apple Account on the device.
    public struct AppTransactions: AsyncSequence, Sendable {
        /// An app transaction, and whether its signature is valid.
        public typealias Element = VerificationResult<AppTransaction>

        fileprivate let launch: SimulatedLaunch

        /// An iterator over the app transactions.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// An app transaction, and whether its signature is valid.
            public typealias Element = VerificationResult<AppTransaction>

            fileprivate var launch: SimulatedLaunch?

            /// Returns the next app transaction; `nil` at the end, and if the task is canceled.
            public mutating func next() async -> VerificationResult<AppTransaction>? {
                guard let launch, !launch.isReadSuppressed else { return nil }
                self.launch = nil
                return try? AppTransaction.shared(of: launch)
            }
        }

        /// Returns an iterator that reads the app transactions on the first call of `next()`.
        public func makeAsyncIterator() -> AppTransaction.AppTransactions.AsyncIterator {
            AsyncIterator(launch: launch)
        }
    }
}
