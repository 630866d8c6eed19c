public import Foundation

/// The error of a call of the store.
///
/// Branch on ``code``. ``message`` is for developers and logs, and names the rejected input. Show
/// `localizedDescription` to customers. Two errors are equal if their codes and messages are equal; underlying errors
/// aren't compared.
public struct StoreError: Error, Sendable {
    /// The code of the error.
    public var code: Code { details.value.code }
    /// A description with the identifiers concerned, for developers and logs.
    public var message: String { details.value.message }
    /// The error that caused this one: StoreKit's, the network's, or the one that a closure threw.
    public var underlying: (any Error)? { details.value.underlying }

    // A reference is passed in a register at each of the many calls that can throw. Four words would be copied.
    private let details: Shared<Details>

    private struct Details: Sendable {
        let code: Code
        let message: String
        let underlying: (any Error)?
    }

    /// Creates an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        details = Shared(Details(code: code, message: message, underlying: underlying))
    }
}

extension StoreError: Hashable {
    /// Returns whether the codes and the messages are equal.
    public static func == (left: StoreError, right: StoreError) -> Bool {
        left.code == right.code && left.message == right.message
    }

    /// Hashes the code and the message.
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
    /// Those calls never throw ``Code/userCancelled``. The property is `true` for what remains: a canceled task
    /// (``Code/taskCancelled``), and a closed password dialog of another call (``Code/userCancelled``).
    public var isUserInitiated: Bool { code == .userCancelled || code == .taskCancelled }

    /// Creates the error of a canceled request to StoreKit.
    /// - Parameter what: The beginning of the message, such as "The restore".
    package static func cancelledRequest(during what: String) -> StoreError {
        StoreError(.taskCancelled, "\(what) was canceled.")
    }

    /// Creates the error of a canceled task whose operation may continue.
    /// - Parameter what: The operation, within the message, such as "the restore".
    package static func cancelled(_ what: String) -> StoreError {
        StoreError(.taskCancelled, "The wait for \(what) was canceled.")
    }

    /// Creates the error of a request without a response.
    static func timeout(of what: String, after seconds: TimeInterval) -> StoreError {
        StoreError(.timedOut, "The request for \(what) timed out after \(seconds) seconds.")
    }

    package static func unknownProduct(_ productID: String) -> StoreError {
        StoreError(.productUnavailable, "The App Store has no product \"\(productID)\".")
    }

    static let noProductIDs = StoreError(.invalidProductIDs, "No product identifiers were given.")

    package static let storeClosed = StoreError(.storeClosed, "The store was closed before the call completed.")
}
