package import AppStoreSimulator
public import Foundation

// What `as`, `as?` and `catch` go through on Linux, where the compiler bridges nothing by itself.
extension SKError: _ObjectiveCBridgeable {
    /// The error as Foundation knows it.
    public func _bridgeToObjectiveC() -> NSError {
        _nsError
    }

    /// Takes an error of ``SKErrorDomain``; `nil` for every other.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        result = source.domain == SKErrorDomain ? SKError(_nsError: source) : nil
    }

    /// Takes an error of ``SKErrorDomain``, and no other.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) -> Bool {
        _forceBridgeFromObjectiveC(source, result: &result)
        return result != nil
    }

    /// Takes whatever there is; ``Code/unknown`` when it is nothing, or no error of StoreKit.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        guard let source, source.domain == SKErrorDomain else { return SKError(.unknown) }
        return SKError(_nsError: source)
    }
}

extension SimulatedError {
    /// The error as Apple's StoreKit would hand it over: an `NSError` of its own domain.
    package var foundationError: NSError {
        NSError(domain: domain, code: code, userInfo: message.isEmpty ? [:] : [NSLocalizedDescriptionKey: message])
    }
}
