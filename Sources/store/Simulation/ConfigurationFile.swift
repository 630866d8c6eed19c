package import AppStoreSimulator
import Foundation

/// A StoreKit configuration file, as a command is given it.
package enum ConfigurationFile: Sendable, Hashable {
    /// The one that is part of the executable, so that it is there wherever the executable is put.
    case included
    /// One on disk: the path as it was typed.
    case path(String)

    /// The file at a path; without one, the file that is included.
    package init(_ path: String?) {
        self = path.map { .path($0) } ?? .included
    }

    /// The name without the folder.
    var name: String {
        switch self {
        case .included: "Demo.storekit"
        case .path(let path): URL(fileURLWithPath: path).lastPathComponent
        }
    }

    /// What the file has for sale.
    /// - Throws: ``CommandFailure`` with the place and the reason in the file.
    package func catalog() throws(CommandFailure) -> SimulatedCatalog {
        switch self {
        case .included:
            try catalog(named: name) { () throws(SimulatedCatalogError) in try SimulatedCatalog(data: Data(PackageResources.Demo_storekit))
            }
        case .path(let path): try catalog(at: path)
        }
    }

    private func catalog(at path: String) throws(CommandFailure) -> SimulatedCatalog {
        let data = try InputFile.read(path, as: "a StoreKit configuration file")
        return try catalog(named: path) { () throws(SimulatedCatalogError) in try SimulatedCatalog(data: data) }
    }

    private func catalog(named name: String, _ read: () throws(SimulatedCatalogError) -> SimulatedCatalog) throws(CommandFailure)
        -> SimulatedCatalog
    {
        do throws(SimulatedCatalogError) {
            return try read()
        } catch {
            throw CommandFailure(.noInput, "\(name): \(error)")
        }
    }
}
