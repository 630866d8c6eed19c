package import AppStoreSimulator
import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What the sandbox is asked for in a receipt that has run out: a `Bool`, by default false.
@available(iOS, deprecated: 18.0)
public let SKReceiptPropertyIsExpired = "expired"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What the sandbox is asked for in a receipt that was revoked: a `Bool`, by default false.
@available(iOS, deprecated: 18.0)
public let SKReceiptPropertyIsRevoked = "revoked"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What the sandbox is asked for in a receipt of a volume purchase: a `Bool`, by default false.
@available(iOS, deprecated: 18.0)
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Asks the App Store for a new receipt, which is there when the request has finished.
@available(iOS, deprecated: 18.0)
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?
    private let launch: SimulatedLaunch?

    /// Makes a request.
    ///
    /// - Parameter properties: What the sandbox is to claim in the receipt, by ``SKReceiptPropertyIsExpired`` and its like. What it
    ///   does not know it ignores.
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        launch = nil
    }

    /// Makes a request without properties.
    public override convenience init() {
        self.init(receiptProperties: nil)
    }

    /// Makes a request that one run of the app asks.
    package init(receiptProperties properties: [String: Any]? = nil, launch: SimulatedLaunch) {
        self.properties = properties
        self.launch = launch
    }

    /// What the sandbox is to claim in the receipt.
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
