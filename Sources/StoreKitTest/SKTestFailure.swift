import AppStoreSimulator
public import StoreKit

/// An error that a session makes a function of StoreKit throw; see ``SKTestFailures``.
public protocol SKTestFailure: Equatable, Sendable {
    /// Creates the failure with an error of the simulator; `nil` for an error that isn't one of the function's.
    init?(_fromErrorCode code: _SKTestFailureCode)
    /// The error in the simulator.
    var _errorCode: _SKTestFailureCode { get }
}

extension SKTestFailure {
    /// The error in the simulator, for the value of the failure's case.
    public var _errorCode: _SKTestFailureCode {
        switch Mirror(reflecting: self).children.first?.value {
        case let error as StoreKitError: _SKTestFailureCode(error: SimulatedError(error))
        case let error as Product.PurchaseError: _SKTestFailureCode(error: SimulatedError(error))
        case let error as Transaction.RefundRequestError: _SKTestFailureCode(error: .refundRequest(error))
        default: _SKTestFailureCode(error: .unverified)
        }
    }

    /// Returns whether two failures are the same error.
    public static func == (left: Self, right: Self) -> Bool { left._errorCode == right._errorCode }
}

/// A failure that is always an error of StoreKit.
public protocol _SKGenericTestFailure: SKTestFailure {
    /// Creates the failure.
    static func generic(_ error: StoreKitError) -> Self
}

extension _SKGenericTestFailure {
    /// Creates the failure with an error of the simulator.
    public init?(_fromErrorCode code: _SKTestFailureCode) {
        self = .generic(StoreKitError(code.error))
    }
}

/// The error of the simulator of a failure.
public struct _SKTestFailureCode: Equatable {
    let error: SimulatedError
}
