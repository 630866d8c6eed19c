public import Foundation

/// Why a call of the store did not succeed.
///
/// Branch on ``code``; ``message`` is for people and logs, and names the input that was refused. Two errors are equal when
/// code and message are; what lies underneath is not compared.
public struct StoreError: Error, Sendable {
    /// What went wrong.
    public let code: Code
    /// What went wrong in words, with the identifiers concerned.
    public let message: String
    /// The error that caused this one, as StoreKit, the network or the caller's own closure gave it.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
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

extension StoreError: CustomStringConvertible, LocalizedError {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
    /// The message.
    public var errorDescription: String? { message }
}

extension StoreError {
    package static func cancelled(_ what: String) -> StoreError {
        StoreError(.cancelled, "The wait for \(what) was cancelled.")
    }

    static func unknownProduct(_ productID: String) -> StoreError {
        StoreError(.productNotFound, "The App Store knows no product \"\(productID)\".")
    }

    static let noProductIDs = StoreError(.invalidProductIDs, "No product identifiers were given: the set is empty.")

    package static let storeClosed = StoreError(.storeClosed, "The store was closed before the call had its answer.")
}
