/// The store that issued a receipt.
///
/// An open set: a name Apple adds tomorrow is kept in `rawValue`.
public struct ReceiptEnvironment: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, as `verifyReceipt` and App Store Server spell it: `Production`, `Sandbox`, `Xcode`.
    public let rawValue: String

    /// Creates an environment by its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The App Store.
    public static let production = ReceiptEnvironment(rawValue: "Production")
    /// The sandbox, TestFlight and App Review.
    public static let sandbox = ReceiptEnvironment(rawValue: "Sandbox")
    /// StoreKit testing in Xcode: signed by a key on the developer's Mac, not by Apple.
    public static let xcode = ReceiptEnvironment(rawValue: "Xcode")

    /// Reads a receipt type (`ProductionVPPSandbox`) or an environment (`Sandbox`); volume purchase is reported apart.
    static func reading(_ text: String) -> (environment: ReceiptEnvironment, isVolumePurchase: Bool) {
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
