/// The store that issued a receipt.
///
/// An open set: `rawValue` keeps values that Apple adds later.
public struct ReceiptEnvironment: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, as `verifyReceipt` and App Store Server spell it: `Production`, `Sandbox`, `Xcode`.
    public let rawValue: String

    /// Creates an environment from its raw value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The App Store.
    public static let production = ReceiptEnvironment(rawValue: "Production")
    /// The sandbox, TestFlight and App Review.
    public static let sandbox = ReceiptEnvironment(rawValue: "Sandbox")
    /// StoreKit testing in Xcode. A key on the developer's Mac signs the data, not Apple.
    public static let xcode = ReceiptEnvironment(rawValue: "Xcode")

    /// Returns the environment of a receipt type (`ProductionVPPSandbox`) or an environment name (`Sandbox`), and
    /// whether the type is that of a volume purchase.
    package static func reading(_ text: String) -> (environment: ReceiptEnvironment, isVolumePurchase: Bool) {
        switch text {
        case "Production": (.production, false)
        case "ProductionVPP": (.production, true)
        case "Sandbox", "ProductionSandbox": (.sandbox, false)
        case "ProductionVPPSandbox": (.sandbox, true)
        case "Xcode", "LocalTesting": (.xcode, false)
        default: (ReceiptEnvironment(rawValue: text), false)
        }
    }
}

extension ReceiptEnvironment: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}
