public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of StoreKit's errors.
public let SKErrorDomain = "SKErrorDomain"

/// An error of StoreKit.
///
/// An `NSError` of ``SKErrorDomain`` becomes an `SKError` by `as?`, `catch` and pattern matching, and the other way round by `as`;
/// code and user information survive both ways, also when the code is none of ``Code``.
public struct SKError: CustomNSError, Hashable, Sendable {
    /// The error as Foundation knows it.
    public let _nsError: NSError

    /// Takes an error as it is, whatever its domain, as the initializer does that Swift gives to errors imported from Objective-C.
    ///
    /// `as? SKError` looks at the domain first.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// Makes an error with a code and, if need be, further information such as `NSUnderlyingErrorKey`.
    public init(_ code: SKError.Code, userInfo: [String: Any] = [:]) {
        _nsError = NSError(domain: SKErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The code of the error; ``Code/unknown`` when its number is none that this version of the API has a name for.
    ///
    /// ``errorCode`` is the number itself.
    public var code: SKError.Code {
        Code(rawValue: _nsError.code) ?? .unknown
    }

    /// What else is known about the error.
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

    /// What else is known about the error.
    public var errorUserInfo: [String: Any] {
        _nsError.userInfo
    }

    /// What a customer may read about the error.
    public var localizedDescription: String {
        _nsError.localizedDescription
    }

    /// Whether two errors have the same number and the same further information.
    public static func == (left: SKError, right: SKError) -> Bool {
        left._nsError.isEqual(right._nsError)
    }

    /// Hashes the number of the error.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.code)
    }
}
