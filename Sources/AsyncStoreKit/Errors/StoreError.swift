public import Foundation

/// Why a call of the store did not succeed.
///
/// Branch on ``code``. ``message`` is for developers and logs, and names the input that was refused; what customers are
/// shown is `localizedDescription`. Two errors are equal when code and message are; what lies underneath is not
/// compared.
public struct StoreError: Error, Sendable {
    /// What went wrong.
    public var code: Code { details.code }
    /// What went wrong in words, with the identifiers concerned: for developers and logs.
    public var message: String { details.message }
    /// The error that caused this one, as StoreKit, the network or the caller's own closure gave it.
    public var underlying: (any Error)? { details.underlying }

    // A reference is handed on in a register, at each of the many calls that may throw this; four words are copied
    // there.
    private let details: Details

    private final class Details: Sendable {
        let code: Code
        let message: String
        let underlying: (any Error)?

        init(_ code: Code, _ message: String, _ underlying: (any Error)?) {
            self.code = code
            self.message = message
            self.underlying = underlying
        }
    }

    /// Makes an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        details = Details(code, message, underlying)
    }
}

extension StoreError: Hashable {
    /// Whether code and message are the same.
    public static func == (left: StoreError, right: StoreError) -> Bool {
        left.code == right.code && left.message == right.message
    }

    /// Hashes code and message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension StoreError: CustomStringConvertible {
    /// The code and the message, for logs.
    public var description: String { "\(code): \(message)" }
}

extension StoreError: LocalizedError {
    /// The text for the customer, in the customer's language and without identifiers.
    ///
    /// StoreKit's own text or the network's, if there is one, or else ``Code/customerText`` in
    /// ``CustomerTexts/current``.
    public var errorDescription: String? { storeKitText ?? CustomerTexts.current.text(code.customerText) }
}

extension StoreError {
    /// Whether the same call may succeed later without a change.
    public var isRetryable: Bool { code.isRetryable }

    /// Whether the customer or the app ended the call on purpose, so that there's nothing to show.
    ///
    /// The customer's decisions are outcomes where they belong to the call: ``PurchaseOutcome/userCancelled``,
    /// ``RestoreOutcome/userCancelled``, ``RefundRequestOutcome/userCancelled``, ``OfferCodeOutcome/userCancelled``.
    /// Those calls never throw ``Code/userCancelled``. The property is `true` for what remains: a cancelled task
    /// (``Code/taskCancelled``), a cancelled download (``Code/downloadCancelled``), and a closed password dialog of
    /// another call (``Code/userCancelled``).
    public var isUserInitiated: Bool { code == .userCancelled || code == .taskCancelled || code == .downloadCancelled }

    package static func cancelled(_ what: String) -> StoreError {
        StoreError(.taskCancelled, "The wait for \(what) was cancelled.")
    }

    package static func unknownProduct(_ productID: String) -> StoreError {
        StoreError(.productUnavailable, "The App Store knows no product \"\(productID)\".")
    }

    static let noProductIDs = StoreError(.invalidProductIDs, "No product identifiers were given.")

    package static let storeClosed = StoreError(.storeClosed, "The store was closed before the call had its answer.")
}
