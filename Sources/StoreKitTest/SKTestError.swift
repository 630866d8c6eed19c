import AppStoreSimulator
public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of StoreKit Test's errors.
public let SKTestErrorDomain = "SKTestErrorDomain"

/// An error of a session.
public struct SKTestError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The code of an error. Raw values are those of Apple's `SKTestErrorCode`.
    public enum Code: Int, Sendable {
        /// The test environment isn't available.
        case serviceUnavailable = 0
        /// The configuration file has no product with this identifier.
        case invalidProductIdentifier = 1
        /// The action isn't possible with this type of product.
        case invalidProductType = 2
        /// The address isn't that of a file.
        case invalidURL = 3
        /// There is no configuration file at the address, or with the name.
        case fileNotFound = 4
        /// The customer has no active subscription to the product.
        case noSubscriptionFound = 5
        /// The session has no transaction with this identifier.
        case noTransactionFound = 6
        /// The action isn't possible in the state of the transaction.
        case invalidAction = 7
    }

    /// ``SKTestErrorDomain``.
    public static var errorDomain: String { SKTestErrorDomain }

    /// ``Code/serviceUnavailable``
    public static var serviceUnavailable: SKTestError.Code { .serviceUnavailable }
    /// ``Code/invalidProductIdentifier``
    public static var invalidProductIdentifier: SKTestError.Code { .invalidProductIdentifier }
    /// ``Code/invalidProductType``
    public static var invalidProductType: SKTestError.Code { .invalidProductType }
    /// ``Code/invalidURL``
    public static var invalidURL: SKTestError.Code { .invalidURL }
    /// ``Code/fileNotFound``
    public static var fileNotFound: SKTestError.Code { .fileNotFound }
    /// ``Code/noSubscriptionFound``
    public static var noSubscriptionFound: SKTestError.Code { .noSubscriptionFound }
    /// ``Code/noTransactionFound``
    public static var noTransactionFound: SKTestError.Code { .noTransactionFound }
    /// ``Code/invalidAction``
    public static var invalidAction: SKTestError.Code { .invalidAction }

    /// The code of the error.
    public let code: SKTestError.Code
    private let message: String

    init(_ code: SKTestError.Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The number of the error.
    public var errorCode: Int { code.rawValue }

    /// The reason, for the author of the test.
    public var errorDescription: String? { message }

    /// The reason, for the author of the test.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}

extension SKTestError {
    /// Creates the error of a control of the simulator.
    init(_ error: SimulatorError) {
        let code: Code =
            switch error.code {
            case .unknownProduct: .invalidProductIdentifier
            case .unknownTransaction: .noTransactionFound
            case .notSubscribed: .noSubscriptionFound
            case .unsuitableProduct: .invalidProductType
            case .invalidCatalog: .serviceUnavailable
            case .notAwaitingApproval, .noIssue, .unknownOffer, .notOwned, .notEligible, .invalidValue: .invalidAction
            }
        self.init(code, error.message)
    }
}
