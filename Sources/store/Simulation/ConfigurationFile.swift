package import AppStoreSimulator
import Foundation

/// The StoreKit configuration file of a command.
package enum ConfigurationFile: Sendable, Hashable {
    /// The file that is part of the executable.
    case included
    /// A file on disk, by its path.
    case path(String)

    static let option = ArgumentGrammar.Option(
        "--configuration", value: "FILE",
        "The StoreKit configuration file with the products (.storekit). The default is the file of the demo.")

    /// Creates the file at a path, or the included file if there is no path.
    package init(_ path: String?) {
        self = path.map { .path($0) } ?? .included
    }

    /// The name of the file, without its folder.
    var name: String {
        switch self {
        case .included: "Demo.storekit"
        case .path(let path): URL(fileURLWithPath: path).lastPathComponent
        }
    }

    /// Returns the products of the file, and its settings. Prints the place of every offer that can't be read.
    /// - Throws: ``CommandFailure`` that names the path, the place in the file, and the reason.
    func catalog(_ console: Console) throws(CommandFailure) -> SimulatedCatalog {
        let catalog = try catalog()
        for warning in catalog.warnings {
            console.error("\(name): Left out an offer. \("\(warning)".asSentence)")
        }
        return catalog
    }

    /// Returns the products of the file, and its settings.
    /// - Throws: ``CommandFailure`` that names the path, the place in the file, and the reason.
    package func catalog() throws(CommandFailure) -> SimulatedCatalog {
        switch self {
        case .included:
            try catalog(named: name) { () throws(SimulatedCatalogError) in
                try SimulatedCatalog(data: Data(PackageResources.Demo_storekit))
            }
        case .path(let path): try catalog(at: path)
        }
    }

    private func catalog(at path: String) throws(CommandFailure) -> SimulatedCatalog {
        let data = try InputFile.read(path, as: "a StoreKit configuration file")
        return try catalog(named: path) { () throws(SimulatedCatalogError) in try SimulatedCatalog(data: data) }
    }

    private func catalog(named name: String, _ read: () throws(SimulatedCatalogError) -> SimulatedCatalog)
        throws(CommandFailure)
        -> SimulatedCatalog
    {
        do throws(SimulatedCatalogError) {
            return try read()
        } catch {
            throw CommandFailure(.noInput, "\(name): \("\(error)".asSentence)")
        }
    }
}

extension String {
    /// The text with a period at its end, unless the text has one.
    var asSentence: String { hasSuffix(".") ? self : self + "." }
}
