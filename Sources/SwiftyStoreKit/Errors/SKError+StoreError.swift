import AsyncStoreKit
import Foundation
import StoreKit

extension SKError {
    /// An error of the store as the old API gives it.
    ///
    /// What StoreKit said stays as it was. A network error is `SKError.unknown` with the cause under `NSUnderlyingErrorKey`, also where
    /// StoreKit gave it out as its own: its number is none of `SKError.Code`. A call that was cancelled is `.paymentCancelled`; a quantity
    /// out of range and a product that is not for sale are `.paymentInvalid`. What StoreKit has no code for is `.unknown`, with the description that tells it.
    init(_ error: StoreError) {
        switch error.underlying.map({ $0 as NSError }) {
        case let cause? where cause.isStoreKitError && !cause.isDisguisedNetworkError:
            self.init(_nsError: cause)
        case let cause?:
            let text = cause.userInfo[NSLocalizedDescriptionKey] as? String ?? error.message
            self.init(.unknown, description: text, cause: cause.isDisguisedNetworkError ? cause.asNetworkError : cause)
        case nil:
            self.init(SKError.Code(of: error), description: error.message, cause: error)
        }
    }

    init(_ code: SKError.Code, description: String, cause: any Error) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSUnderlyingErrorKey] = cause
        self.init(_nsError: NSError(domain: SKErrorDomain, code: code.rawValue, userInfo: info))
    }
}

extension SKError.Code {
    fileprivate init(of error: StoreError) {
        switch error.code {
        case .taskCancelled: self = .paymentCancelled
        case .invalidQuantity, .productUnavailable: self = .paymentInvalid
        default: self = error.storeKitCode.flatMap(SKError.Code.init(rawValue:)) ?? .unknown
        }
    }
}

extension NSError {
    var isStoreKitError: Bool { domain == SKErrorDomain }

    /// A network error's number in StoreKit's domain: NSURLError's go from -999 down, and SKError has none below 0.
    var isDisguisedNetworkError: Bool { isStoreKitError && code <= -999 }

    fileprivate var asNetworkError: NSError { NSError(domain: NSURLErrorDomain, code: code, userInfo: userInfo) }
}
