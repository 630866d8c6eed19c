public import Foundation

/// A deterministic App Store in the process.
public final class SimulatedAppStore: Sendable {
    /// Makes a store that sells what the catalog lists, to an account that has bought nothing yet.
    public init(catalog: Catalog, seed: UInt64 = 1) {}
}
