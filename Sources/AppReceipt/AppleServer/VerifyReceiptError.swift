/// Why `verifyReceipt` gave no receipt.
///
/// Neither the shared secret nor the receipt is ever part of it.
public struct VerifyReceiptError: Error, Sendable {
    /// What kind of failure it is.
    public let code: Code
    /// Apple's status, when there was one.
    public let status: Int?
    /// The status of HTTP, when it was not 200.
    public let httpStatus: Int?
    /// What went wrong below, in the network or in the response.
    public let underlying: (any Error)?

    /// Creates an error; for transports.
    public init(_ code: Code, status: Int? = nil, httpStatus: Int? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.status = status
        self.httpStatus = httpStatus
        self.underlying = underlying
    }
}

extension VerifyReceiptError {
    /// A kind of failure; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable word.
        public let rawValue: String

        /// Creates a code from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// There was no response, time after time.
        public static let network = Code(rawValue: "network")
        /// The server answered with another HTTP status than 200.
        public static let httpStatus = Code(rawValue: "httpStatus")
        /// The answer was longer than the limit.
        public static let responseTooLarge = Code(rawValue: "responseTooLarge")
        /// The answer was not one of `verifyReceipt`; `underlying` says where.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// There are no bytes to send.
        public static let emptyReceipt = Code(rawValue: "emptyReceipt")
        /// 21000, 21001: the request was not understood.
        public static let malformedRequest = Code(rawValue: "malformedRequest")
        /// 21002: the receipt was not understood, or the server was in trouble.
        public static let malformedReceipt = Code(rawValue: "malformedReceipt")
        /// 21003: the receipt is not genuine.
        public static let notAuthentic = Code(rawValue: "notAuthentic")
        /// 21004: the shared secret is not the one of the account.
        public static let wrongSharedSecret = Code(rawValue: "wrongSharedSecret")
        /// 21005: the server is not available at the moment.
        public static let serverUnavailable = Code(rawValue: "serverUnavailable")
        /// 21007, 21008: each environment sends the receipt to the other.
        public static let wrongEnvironment = Code(rawValue: "wrongEnvironment")
        /// 21009, 21100 to 21199: trouble on Apple's side.
        public static let internalError = Code(rawValue: "internalError")
        /// 21010: the account does not exist any more.
        public static let accountNotFound = Code(rawValue: "accountNotFound")
        /// Another status; see ``VerifyReceiptError/status``.
        public static let unknownStatus = Code(rawValue: "unknownStatus")
        /// The receipt is genuine, and another app's.
        public static let bundleIDMismatch = Code(rawValue: "bundleIDMismatch")
    }

    /// The error for a status that comes without a receipt.
    ///
    /// The meanings are those of Apple's page "status" in the documentation of App Store Receipts.
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

extension VerifyReceiptError: CustomStringConvertible {
    /// One line, without the secret, the receipt or the response.
    public var description: String {
        var parts = ["verifyReceipt: \(code.rawValue)"]
        if let status { parts.append("status \(status)") }
        if let httpStatus { parts.append("HTTP status \(httpStatus)") }
        // Only this library's own errors are spelled out; a foreign one could quote the request.
        if let malformed = underlying as? MalformedReceiptError { parts.append("\(malformed)") }
        return parts.joined(separator: ", ")
    }
}
