import AppStoreSimulator
import AsyncStoreKit

/// The option `--engine`: the engine of the store.
enum EngineOption {
    static let option = ArgumentGrammar.Option(
        "--engine", value: "1|2", "Uses StoreKit 1 or StoreKit 2. The default is 2.")

    /// Returns the engine that the arguments name, or StoreKit 2.
    static func engine(_ arguments: ParsedArguments) throws(CommandFailure) -> StoreEngine {
        switch arguments["--engine"] ?? "2" {
        case "1": return .storeKit1
        case "2": return .storeKit2
        case let other: throw .usage("--engine takes 1 or 2, for StoreKit 1 or StoreKit 2, not \(other.shown)")
        }
    }
}

extension StoreEngine {
    /// The name of the engine.
    var name: String { self == .storeKit1 ? "StoreKit 1" : "StoreKit 2" }
}

extension SimulatedCatalog {
    /// Returns the name that customers see, or the identifier if there is no name.
    func name(of productID: String) -> String {
        let name = self[productID]?.localization(for: localeIdentifier)?.displayName ?? ""
        return name.isEmpty ? productID : name
    }
}
