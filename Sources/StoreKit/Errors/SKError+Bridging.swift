package import AppStoreSimulator
public import Foundation

// `as`, `as?` and `catch` use this conformance on Linux, where the compiler doesn't bridge errors.
extension SKError: _ObjectiveCBridgeable {
    /// Returns the error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError {
        _nsError
    }

    /// Converts an error of ``SKErrorDomain``. The result is `nil` for an error of another domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        result = source.domain == SKErrorDomain ? SKError(_nsError: source) : nil
    }

    /// Converts an error of ``SKErrorDomain``, and returns `false` for an error of another domain.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) -> Bool {
        _forceBridgeFromObjectiveC(source, result: &result)
        return result != nil
    }

    /// Converts any error. Returns ``Code/unknown`` for `nil` and for an error of another domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        guard let source, source.domain == SKErrorDomain else { return SKError(.unknown) }
        return SKError(_nsError: source)
    }
}

extension SimulatedError {
    /// The error in the form that Apple's StoreKit reports: an `NSError` with the error's own domain.
    package var foundationError: NSError {
        NSError(domain: domain, code: code, userInfo: message.isEmpty ? [:] : [NSLocalizedDescriptionKey: message])
    }
}
