package import AppStoreSimulator
public import Foundation

/// The purchase of the app itself.
public struct AppTransaction: Hashable, Sendable {
    private let transaction: SimulatedAppTransaction
    let text: SimulatedSignedText

    package init(_ signed: SimulatedSignedAppTransaction) {
        transaction = signed.transaction
        text = signed.text
    }

    /// Whether two say the same, signed at the same time.
    public static func == (left: AppTransaction, right: AppTransaction) -> Bool {
        left.transaction == right.transaction && left.text.seal == right.text.seal
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transaction)
        hasher.combine(text.seal.signedDate)
    }

    /// The purchase as the device knows it.
    ///
    /// - Throws: ``StoreKitError``
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { shared(of: StoreKitSimulation.currentLaunch) }
    }

    /// The purchase as one launch knows it.
    package static func shared(of launch: SimulatedLaunch) -> VerificationResult<AppTransaction> {
        let transaction = AppTransaction(launch.appTransaction)
        return transaction.text.seal.isVerified ? .verified(transaction) : .unverified(transaction, .invalidSignature)
    }

    /// Asks the App Store, for which the customer has to sign in.
    ///
    /// The simulator's `SimulatorBehavior.receiptRefreshError` says whether it fails.
    ///
    /// - Throws: ``StoreKitError``
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await refresh(of: StoreKitSimulation.currentLaunch)
    }

    /// Asks the App Store in one launch.
    package static func refresh(of launch: SimulatedLaunch) async throws -> VerificationResult<AppTransaction> {
        let pending = PendingAnswer<SimulatedAnswer>()
        launch.refreshAppTransaction { pending.answer($0) }
        try await pending.value.completion()
        return shared(of: launch)
    }

    /// The app's identifier in the App Store; `nil` outside production.
    public var appID: UInt64? { nil }

    /// The identifier of the app's download, the same on all of the customer's devices.
    public var appTransactionID: String { text.seal.appTransactionID }

    /// The app's version.
    public var appVersion: String { transaction.version }

    /// The identifier of the app's version in the App Store; `nil` outside production.
    public var appVersionID: UInt64? { nil }

    /// The app.
    public var bundleID: String { text.seal.bundleID }

    /// What ties it to the device.
    public var deviceVerification: Data { text.deviceVerification }

    /// The salt of ``deviceVerification``.
    public var deviceVerificationNonce: UUID { text.seal.nonce }

    /// Where it was made.
    public var environment: AppStore.Environment { AppStore.Environment(rawValue: transaction.environment) }

    /// The payload that was signed, JSON.
    public var jsonRepresentation: Data { text.payload }

    /// The version of the app that the customer got first.
    public var originalAppVersion: String { transaction.originalVersion }

    /// The platform on which the customer got the app.
    public var originalPlatform: AppStore.Platform { AppStore.Platform(rawValue: transaction.originalPlatform) }

    /// The platform on which the customer got the app.
    @available(iOS, deprecated: 18.4)
    public var originalPlatformStringRepresentation: String { transaction.originalPlatform }

    /// When the customer got the app.
    public var originalPurchaseDate: Date { transaction.originalPurchaseDate }

    /// When the customer ordered the app in advance.
    public var preorderDate: Date? { nil }

    /// When it was signed.
    public var signedDate: Date { text.seal.signedDate }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The payload that was signed.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
