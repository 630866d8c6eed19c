public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of StoreKit's errors.
public let SKErrorDomain = "SKErrorDomain"

/// A StoreKit error.
///
/// `as?`, `catch` and pattern matching convert an `NSError` of ``SKErrorDomain`` to an `SKError`, and `as` converts
/// back. Both conversions keep the code and the user information, even for a number that isn't a case of ``Code``.
public struct SKError: CustomNSError, Hashable, Sendable {
    /// The underlying `NSError`.
    public let _nsError: NSError

    /// Creates an error from an `NSError` of any domain, as the initializer of errors imported from Objective-C does.
    ///
    /// `as? SKError` checks the domain first.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// Creates an error with a code and optional user information, such as `NSUnderlyingErrorKey`.
    public init(_ code: SKError.Code, userInfo: [String: Any] = [:]) {
        _nsError = NSError(domain: SKErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The code of the error, or ``Code/unknown`` if the number isn't a case of ``Code``.
    ///
    /// ``errorCode`` is the number itself.
    public var code: SKError.Code {
        Code(rawValue: _nsError.code) ?? .unknown
    }

    /// The user information of the error.
    public var userInfo: [String: Any] {
        _nsError.userInfo
    }

    /// ``SKErrorDomain``.
    public static var errorDomain: String {
        SKErrorDomain
    }

    /// The number of the error in ``SKErrorDomain``.
    public var errorCode: Int {
        _nsError.code
    }

    /// The user information of the error.
    public var errorUserInfo: [String: Any] {
        _nsError.userInfo
    }

    /// The error message for customers.
    public var localizedDescription: String {
        _nsError.localizedDescription
    }

    /// Returns whether two errors have the same number and the same user information.
    public static func == (left: SKError, right: SKError) -> Bool {
        left._nsError.isEqual(right._nsError)
    }

    /// Hashes the number of the error.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.code)
    }
}
