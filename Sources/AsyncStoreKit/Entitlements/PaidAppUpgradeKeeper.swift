import AppReceipt
import Foundation

/// Knows whether the customer paid for the app before it was free, if the app has asked.
///
/// The answer of an earlier launch is read from the cache and verified at the first use of the entitlements. The App
/// Store is asked only when the app requests it.
final class PaidAppUpgradeKeeper: Sendable {
    /// The state of the kept answer. Once the app has asked in this launch, it is ignored.
    private enum Kept: Sendable {
        case notLoaded, loaded, ignored
        /// The cache can't be read, as before the first unlock of the device after its start.
        case unread
    }

    private struct State: Sendable {
        var decision: PaidAppUpgrade.Decision?
        var kept = Kept.notLoaded
        /// Whether the log says that the cache can't be read.
        var isLogged = false
    }

    let paidAppUpgrade: PaidAppUpgrade
    private let backend: any StoreBackend
    private let appBundleID: String?
    private let log: @Sendable (StoreLogEvent) -> Void
    private let state = Locked(State())

    init(
        _ paidAppUpgrade: PaidAppUpgrade, app appBundleID: String?, backend: any StoreBackend,
        log: @escaping @Sendable (StoreLogEvent) -> Void
    ) {
        self.paidAppUpgrade = paidAppUpgrade
        self.appBundleID = appBundleID
        self.backend = backend
        self.log = log
    }

    /// The entitlements, with the product that the customer has because of the purchase of the app.
    func adding(to entitlements: StoreEntitlements) -> StoreEntitlements {
        guard case .paid(let basis) = state.withLock({ $0.decision }) else { return entitlements }
        return entitlements.granting(.init(productID: paidAppUpgrade.productID, basis: basis))
    }

    /// Returns `true` to the caller that is to load the cache: the first one, and one more after each failure.
    /// - Parameter again: Whether to load a cache that couldn't be read, instead of one that wasn't.
    func beginLoading(again: Bool = false) -> Bool {
        guard paidAppUpgrade.cache != nil else { return false }
        return state.withLock { state in
            guard state.kept == (again ? .unread : .notLoaded) else { return false }
            state.kept = .loaded
            return true
        }
    }

    /// Reads the answer of an earlier launch. Returns whether the entitlements have changed.
    func load() async -> Bool {
        guard let cache = paidAppUpgrade.cache else { return false }
        let cached: Data?
        do {
            cached = try cache.load()
        } catch {
            let isLogged = state.withLock { state in
                if state.kept == .loaded { state.kept = .unread }
                defer { state.isLogged = true }
                return state.isLogged
            }
            if !isLogged { warn("The kept purchase of the app can't be read", error) }
            return false
        }
        guard let data = cached, !data.isEmpty else { return false }
        do {
            let trust = await backend.historyTrust.given(app: appBundleID)
            let app = try Self.verified(String(decoding: data, as: UTF8.self), trust)
            let decision = paidAppUpgrade.decision(for: app)
            return state.withLock { state in
                guard state.kept != .ignored else { return false }
                state.decision = decision
                return decision.isPaid
            }
        } catch {
            warn("The kept purchase of the app isn't accepted", error)
            return false
        }
    }

    private func warn(_ message: String, _ error: any Error) {
        log(StoreLogEvent(.warning, "\(message): \(error.nameForLog)"))
    }

    /// Records the App Store's answer, and saves the signed text. Returns the decision, and whether the entitlements
    /// have changed.
    func appTransactionReported(_ app: StoreAppTransaction) -> (decision: PaidAppUpgrade.Decision, hasChanged: Bool) {
        let decision = paidAppUpgrade.decision(for: app)
        let hasChanged = state.withLock { state in
            defer { (state.decision, state.kept) = (decision, .ignored) }
            return state.decision != decision
        }
        if let text = app.signedText, let cache = paidAppUpgrade.cache {
            do {
                try cache.save(Data(text.utf8))
            } catch {
                warn("The purchase of the app can't be kept for the next launch", error)
            }
        }
        return (decision, hasChanged)
    }

    private static func verified(_ text: String, _ trust: HistoryTrust) throws -> StoreAppTransaction {
        guard let bundleID = trust.bundleID else {
            throw StoreError(.receiptInvalid, "The app's bundle identifier isn't known.")
        }
        let verifier = SignedTransactionVerifier(
            bundleID: .exactly(bundleID), environment: trust.environment,
            deviceVerificationID: trust.deviceVerificationID,
            trustAnchors: trust.signatureAnchors)
        return StoreAppTransaction(try verifier.appTransaction(jws: text), signedText: text)
    }
}
