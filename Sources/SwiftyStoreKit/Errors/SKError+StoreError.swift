import AsyncStoreKit
import Foundation
import StoreKit

extension StoreError {
    /// What StoreKit or the network said: domain, number and text as they came.
    ///
    /// Only a network error's number in StoreKit's own domain, where no `SKError` has it, is given back its domain.
    fileprivate var cause: NSError? {
        if underlying == nil, code == .timedOut {
            return NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut, userInfo: [NSLocalizedDescriptionKey: message])
        }
        // What is Swift's own, as StoreKit 2's errors are, says nothing to code that knows StoreKit 1's.
        guard let underlying, type(of: underlying) is AnyClass else { return nil }
        let error = underlying as NSError
        return error.isDisguisedNetworkError ? NSError(domain: NSURLErrorDomain, code: error.code, userInfo: error.userInfo) : error
    }

    /// The error as the old API gives it where it may be any: of a request for products, or for a new receipt.
    ///
    /// What StoreKit or the network said stays as it was. What this library says itself is an `SKError`.
    var legacyError: any Error { cause ?? SKError(self) }
}

extension SKError {
    /// An error of the store as the old API gives it where it is an `SKError`: of a payment or a restore.
    ///
    /// What StoreKit said stays as it was, errors of other domains with their domain and number too. A network error is `SKError.unknown`
    /// with the cause under `NSUnderlyingErrorKey`: its number is none of `SKError.Code`. A call that was cancelled is `.paymentCancelled`;
    /// a quantity out of range, an account that cannot be sent and a product that is not for sale are `.paymentInvalid`. What StoreKit
    /// has no code for is `.unknown`, with the description that tells it.
    init(_ error: StoreError) {
        switch error.cause {
        case let cause? where cause.domain == NSURLErrorDomain:
            let text = cause.userInfo[NSLocalizedDescriptionKey] as? String ?? error.message
            self.init(.unknown, description: text, cause: cause)
        case let cause?:
            self.init(_nsError: cause)
        case nil:
            self.init(SKError.Code(of: error), description: error.message, cause: error)
        }
    }

    private init(_ code: SKError.Code, description: String, cause: any Error) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSUnderlyingErrorKey] = cause
        self.init(_nsError: NSError(domain: SKErrorDomain, code: code.rawValue, userInfo: info))
    }
}

extension SKError.Code {
    fileprivate init(of error: StoreError) {
        switch error.code {
        case .taskCancelled: self = .paymentCancelled
        case .invalidQuantity, .productUnavailable, .invalidAccount: self = .paymentInvalid
        default: self = error.storeKitCode.flatMap(SKError.Code.init(rawValue:)) ?? .unknown
        }
    }
}

extension NSError {
    /// A network error's number in StoreKit's domain: NSURLError's go from -999 down, and SKError has none below 0.
    fileprivate var isDisguisedNetworkError: Bool { domain == SKErrorDomain && code <= -999 }
}
