import AsyncStoreKit
import Foundation
import StoreKit

extension StoreError {
    /// The unchanged error of StoreKit or the network.
    ///
    /// Only a network error code in StoreKit's domain, where `SKError` has no such code, gets the domain of network
    /// errors.
    fileprivate var cause: NSError? {
        if underlying == nil, code == .timedOut {
            return NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut, userInfo: texts)
        }
        // Code for StoreKit 1 doesn't know errors that are Swift types, such as those of StoreKit 2.
        guard let underlying, type(of: underlying) is AnyClass else { return nil }
        let error = underlying as NSError
        return error.isDisguisedNetworkError
            ? NSError(domain: NSURLErrorDomain, code: error.code, userInfo: error.userInfo) : error
    }

    /// The text for customers, and the message for logs.
    fileprivate var texts: [String: Any] {
        [NSLocalizedDescriptionKey: localizedDescription, NSDebugDescriptionErrorKey: message]
    }

    /// The error that the block API returns where any error type is allowed: for requests for products or a new
    /// receipt.
    ///
    /// An error of StoreKit or the network is returned unchanged. An error of this library becomes an `SKError`.
    var legacyError: any Error { cause ?? SKError(self) }
}

extension SKError {
    /// Creates the error that the block API returns for a payment or a restore.
    ///
    /// Errors of StoreKit, and errors of other domains, keep their domain and number. A network error becomes
    /// `.unknown` with the cause under `NSUnderlyingErrorKey`, because its number isn't a code of `SKError.Code`. A
    /// canceled call is `.paymentCancelled`. A quantity out of range, an account that can't be sent and a product that
    /// isn't for sale are `.paymentInvalid`. An error without a StoreKit code is `.unknown`.
    ///
    /// The description of an error that this module creates is for customers. The message for logs is under
    /// `NSDebugDescriptionErrorKey`.
    init(_ error: StoreError) {
        switch error.cause {
        case let cause? where cause.domain == NSURLErrorDomain:
            var texts = error.texts
            if let text = cause.userInfo[NSLocalizedDescriptionKey] { texts[NSLocalizedDescriptionKey] = text }
            self.init(.unknown, texts, cause: cause)
        case let cause?:
            self.init(_nsError: cause)
        case nil:
            self.init(SKError.Code(of: error), error.texts, cause: error)
        }
    }

    private init(_ code: SKError.Code, _ texts: [String: Any], cause: any Error) {
        var info = texts
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
    /// Whether the error has a network error code in StoreKit's domain: codes of `NSURLError` are -999 and lower, and
    /// codes of `SKError` aren't negative.
    fileprivate var isDisguisedNetworkError: Bool { domain == SKErrorDomain && code <= -999 }
}
