package import AppStoreSimulator
import Foundation

/// A StoreKit configuration file, as a command is given it.
package struct ConfigurationFile: Sendable, Hashable {
    /// The path as it was typed.
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The name without the folder.
    var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// What the file has for sale.
    /// - Throws: ``CommandFailure`` with the place and the reason in the file.
    package func catalog() throws(CommandFailure) -> Catalog {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure(.noInput, "\(path) is a folder, not a StoreKit configuration file.")
        }
        do throws(CatalogError) {
            return try Catalog(contentsOf: URL(fileURLWithPath: path))
        } catch {
            // The reason names the file already when it could not be read.
            throw CommandFailure(.noInput, error.code == .unreadable ? error.description : "\(path): \(error)")
        }
    }
}
