package import AppStoreSimulator
import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The property that requests an expired receipt from the sandbox: a `Bool`, `false` by default.
@available(iOS, deprecated: 18.0)
public let SKReceiptPropertyIsExpired = "expired"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The property that requests a revoked receipt from the sandbox: a `Bool`, `false` by default.
@available(iOS, deprecated: 18.0)
public let SKReceiptPropertyIsRevoked = "revoked"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The property that requests a receipt of a volume purchase from the sandbox: a `Bool`, `false` by default.
@available(iOS, deprecated: 18.0)
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// A request for a new receipt. The receipt is on the device when the request has finished.
@available(iOS, deprecated: 18.0)
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?
    private let launch: SimulatedLaunch?

    /// Creates a request.
    ///
    /// - Parameter properties: The properties of the receipt that the sandbox creates, such as
    ///   ``SKReceiptPropertyIsExpired``. Unknown properties have no effect.
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        launch = nil
    }

    /// Creates a request without properties.
    public override convenience init() {
        self.init(receiptProperties: nil)
    }

    /// Creates a request for one launch of the app.
    package init(receiptProperties properties: [String: Any]? = nil, launch: SimulatedLaunch) {
        self.properties = properties
        self.launch = launch
    }

    /// The properties of the receipt that the sandbox creates.
    open var receiptProperties: [String: Any]? {
        properties
    }

    override func makeRequest(handler: @escaping @Sendable (SimulatedRequestEvent) -> Void) -> SimulatedRequest? {
        (launch ?? StoreKitSimulation.launch).receiptRefreshRequest(properties: simulatedProperties, handler: handler)
    }

    private var simulatedProperties: SimulatedReceiptProperties {
        func isSet(_ key: String) -> Bool {
            let value = receiptProperties?[key]
            return value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
        }
        return SimulatedReceiptProperties(
            isExpired: isSet(SKReceiptPropertyIsExpired), isRevoked: isSet(SKReceiptPropertyIsRevoked),
            isVolumePurchase: isSet(SKReceiptPropertyIsVolumePurchase))
    }
}
