import AppReceipt

/// The reason why `verifyReceipt` didn't return a receipt.
///
/// The error never contains the shared secret or the receipt.
public struct VerifyReceiptError: Error, Sendable {
    /// The kind of failure.
    public let code: Code
    /// Apple's status, if any.
    public let status: Int?
    /// The HTTP status, if it isn't 200.
    public let httpStatus: Int?
    /// The underlying error, from the network or from reading the response.
    public let underlying: (any Error)?

    /// Creates an error, for transports.
    public init(_ code: Code, status: Int? = nil, httpStatus: Int? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.status = status
        self.httpStatus = httpStatus
        self.underlying = underlying
    }
}

extension VerifyReceiptError {
    /// The kinds of failures, an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable string.
        public let rawValue: String

        /// Creates a code from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The task was canceled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// There was no response in any attempt.
        public static let network = Code(rawValue: "network")
        /// The server responded with an HTTP status other than 200.
        public static let httpStatus = Code(rawValue: "httpStatus")
        /// The response exceeds the limit.
        public static let responseTooLarge = Code(rawValue: "responseTooLarge")
        /// The body isn't a valid `verifyReceipt` response, or it has status 0 or 21006 without a receipt.
        /// ``VerifyReceiptError/underlying`` has the offset.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The receipt is empty.
        public static let emptyReceipt = Code(rawValue: "emptyReceipt")
        /// 21000, 21001: the request is malformed.
        public static let malformedRequest = Code(rawValue: "malformedRequest")
        /// 21002: the receipt is malformed, or the server had a temporary problem.
        public static let malformedReceipt = Code(rawValue: "malformedReceipt")
        /// 21003: the receipt isn't genuine.
        public static let notAuthentic = Code(rawValue: "notAuthentic")
        /// 21004: the shared secret doesn't match the account.
        public static let wrongSharedSecret = Code(rawValue: "wrongSharedSecret")
        /// 21005: the server is unavailable.
        public static let serverUnavailable = Code(rawValue: "serverUnavailable")
        /// 21007, 21008: the receipt belongs to another environment.
        public static let wrongEnvironment = Code(rawValue: "wrongEnvironment")
        /// 21009, 21100 to 21199: an internal error of Apple's server.
        public static let internalError = Code(rawValue: "internalError")
        /// 21010: the account no longer exists.
        public static let accountNotFound = Code(rawValue: "accountNotFound")
        /// Another status; see ``VerifyReceiptError/status``.
        public static let unknownStatus = Code(rawValue: "unknownStatus")
        /// The receipt is genuine but belongs to another app.
        public static let bundleIDMismatch = Code(rawValue: "bundleIDMismatch")
    }

    /// Creates the error for a status without a receipt.
    ///
    /// The page "status" of Apple's documentation of App Store Receipts defines the statuses.
    init(refusal status: Int) {
        let code: Code =
            switch status {
            case 21_000, 21_001: .malformedRequest
            case 21_002: .malformedReceipt
            case 21_003: .notAuthentic
            case 21_004: .wrongSharedSecret
            case 21_005: .serverUnavailable
            case 21_007, 21_008: .wrongEnvironment
            case 21_009, 21_100...21_199: .internalError
            case 21_010: .accountNotFound
            case 0, 21_006: .malformedResponse
            default: .unknownStatus
            }
        self.init(code, status: status)
    }
}

extension VerifyReceiptError: CancellationReporting {
    package var isCancellation: Bool { code == .cancelled }
}

extension VerifyReceiptError: CustomStringConvertible {
    /// One line, without the secret, the receipt or the response.
    public var description: String {
        var parts = ["verifyReceipt: \(code.rawValue)"]
        if let status { parts.append("status \(status)") }
        if let httpStatus { parts.append("HTTP status \(httpStatus)") }
        // Only errors of this library are included. Other errors could quote the request.
        if let malformed = underlying as? MalformedReceiptError { parts.append("\(malformed)") }
        return parts.joined(separator: ", ")
    }
}
