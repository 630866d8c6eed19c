import Foundation

/// Decides which copy of this module observes the payment queue of the process.
///
/// An app and a framework can each contain a copy of the module. Each copy has its own store, so both would deliver a
/// purchase. A value in the environment of the process belongs to no copy: the first store sets it.
package struct ProcessMark: Sendable {
    private let name: String
    private let image: String
    private let copy = UUID().uuidString

    /// - Parameters:
    ///   - name: The name of the environment variable. It contains the identifier of the process, because child
    ///     processes inherit the environment.
    ///   - image: The file that contains this copy of the module.
    init(name: String = "AsyncStoreKit.\(ProcessInfo.processInfo.processIdentifier)", image: String = Self.ownImage) {
        self.name = name
        self.image = image
    }

    /// Claims the payment queue. Returns `nil` if this copy has it, or else the error that says which copy has it.
    func claim() -> StoreError? {
        // Doesn't overwrite: of two copies that call at once, one succeeds.
        setenv(name, "\(copy) \(image)", 0)
        let owner = getenv(name).map { String(cString: $0) } ?? ""
        guard !owner.hasPrefix(copy), let space = owner.firstIndex(of: " ") else { return nil }
        let other = owner[owner.index(after: space)...]
        return StoreError(
            .storeClosed,
            "The process contains AsyncStoreKit twice, in \(other) and in \(image). Only the copy in \(other) delivers. Link one dynamic copy, or use the store in one image only."
        )
    }

    /// The last two components of the path of the file that contains this code, such as `Shop.framework/Shop`.
    static let ownImage: String = {
        let bundle = Bundle(for: CodeOfThisCopy.self)
        let path = (bundle.executablePath ?? bundle.bundlePath).split(separator: "/")
        return path.suffix(2).joined(separator: "/")
    }()

    private final class CodeOfThisCopy {}
}
