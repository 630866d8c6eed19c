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

    /// Returns whether two app transactions have the same contents and the same signature date.
    public static func == (left: AppTransaction, right: AppTransaction) -> Bool {
        left.transaction == right.transaction && left.text.seal == right.text.seal
    }

    /// Hashes the contents and the signature date.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transaction)
        hasher.combine(text.seal.signedDate)
    }

    /// The app transaction on the device.
    ///
    /// - Throws: ``StoreKitError``
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try shared(of: StoreKitSimulation.currentLaunch) }
    }

    /// Returns the app transaction of one launch.
    ///
    /// - Throws: ``StoreKitError``, if `SimulatorBehavior.appTransactionError` of the simulator is set.
    package static func shared(
        of launch: SimulatedLaunch
    ) throws(StoreKitError) -> VerificationResult<AppTransaction> {
        if let error = launch.store.behavior.appTransactionError { throw StoreKitError(error) }
        let transaction = AppTransaction(launch.appTransaction)
        return transaction.text.seal.isVerified ? .verified(transaction) : .unverified(transaction, .invalidSignature)
    }

    /// Loads the app transaction from the App Store. The customer must sign in.
    ///
    /// `SimulatorBehavior.receiptRefreshError` of the simulator selects whether the call fails.
    ///
    /// - Throws: ``StoreKitError``
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await refresh(of: StoreKitSimulation.currentLaunch)
    }

    /// Loads the app transaction of one launch from the App Store.
    package static func refresh(of launch: SimulatedLaunch) async throws -> VerificationResult<AppTransaction> {
        let pending = PendingAnswer<SimulatedAnswer>()
        launch.refreshAppTransaction { pending.answer($0) }
        try await pending.value.completion()
        return try shared(of: launch)
    }

    /// The app's identifier in the App Store; `nil` outside production.
    public var appID: UInt64? { nil }

    /// The identifier of the app's download, the same on all of the customer's devices.
    public var appTransactionID: String { text.seal.appTransactionID }

    /// The app's version.
    public var appVersion: String { transaction.version }

    /// The identifier of the app's version in the App Store; `nil` outside production.
    public var appVersionID: UInt64? { nil }

    /// The bundle identifier of the app.
    public var bundleID: String { text.seal.bundleID }

    /// The data that ties the app transaction to the device.
    public var deviceVerification: Data { text.deviceVerification }

    /// The salt of ``deviceVerification``.
    public var deviceVerificationNonce: UUID { text.seal.nonce }

    /// The environment in which the App Store signed it.
    public var environment: AppStore.Environment { AppStore.Environment(rawValue: text.seal.environment) }

    /// The signed payload, JSON.
    public var jsonRepresentation: Data { text.payload }

    /// The version of the app that the customer first downloaded.
    public var originalAppVersion: String { transaction.originalVersion }

    /// The platform on which the customer got the app.
    public var originalPlatform: AppStore.Platform { AppStore.Platform(rawValue: transaction.originalPlatform) }

    /// The platform on which the customer got the app.
    @available(iOS, deprecated: 18.4)
    public var originalPlatformStringRepresentation: String { transaction.originalPlatform }

    /// The date of the customer's first download.
    public var originalPurchaseDate: Date { transaction.originalPurchaseDate }

    /// The date of a preorder.
    public var preorderDate: Date? { nil }

    /// The date of the signature.
    public var signedDate: Date { text.seal.signedDate }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The signed payload.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
