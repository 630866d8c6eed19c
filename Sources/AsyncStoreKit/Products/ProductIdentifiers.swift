import AppReceipt
public import Foundation

/// Product identifiers from a file of the app: a property list (`ProductIds.plist`) or JSON.
///
/// ```swift
/// let identifiers = try ProductIdentifiers(contentsOf: url)
/// let response = try await store.products(for: identifiers.all)
/// ```
/// The file holds an array of identifiers, or a dictionary of such arrays. Identifiers that an array repeats count
/// once, and are listed in ``duplicates``; an identifier in several arrays isn't a duplicate.
public struct ProductIdentifiers: Sendable, Hashable {
    /// Every identifier.
    public let all: Set<String>
    /// The identifiers under each key of the file, in its order. Those of a file that is one array are under "".
    public let groups: [String: [String]]
    /// The identifiers that an array of the file repeats, probably by mistake.
    public let duplicates: Set<String>

    /// The longest file that is read, in bytes: 1 MiB.
    package static let maximumSize = 1 << 20

    private static let whiteSpace = CharacterSet.whitespacesAndNewlines.union(.controlCharacters)

    /// Reads a file. Its extension (`json`, `plist`) decides the format, or else its first bytes.
    /// - Throws: ``StoreError/Code/invalidProductIDs``, with a message that names the file, the key, and the place in
    ///   the array. It's thrown for a URL that isn't a file's, for a file that can't be read, is too long, or has
    ///   another format, for content other than arrays of identifiers, and for an empty identifier, array, or
    ///   dictionary. Then nothing is taken from the file.
    public init(contentsOf url: URL) throws(StoreError) {
        let file = url.lastPathComponent
        let content = try ProductIdentifiersFile(url).content()
        let lists: [String: Any]
        switch content {
        case let array as [Any]: lists = ["": array]
        case let dictionary as [String: Any]: lists = dictionary
        default: throw Self.failure(file, "", "it holds neither an array nor a dictionary of arrays")
        }
        guard !lists.isEmpty else { throw Self.failure(file, "", "it is empty") }
        var groups = [String: [String]]()
        var duplicates: Set<String> = []
        // In the order of the keys, so that the same file always has the same error.
        for (key, list) in lists.inOrder(by: { $0.key < $1.key }) {
            guard let list = list as? [Any] else { throw Self.failure(file, key, "it is not an array") }
            guard !list.isEmpty else { throw Self.failure(file, key, "it is empty") }
            var seen: Set<String> = []
            groups[key] = []
            for (index, element) in list.enumerated() {
                let identifier = try Self.identifier(element, file, key, index)
                if seen.insert(identifier).inserted {
                    groups[key]?.append(identifier)
                } else {
                    duplicates.insert(identifier)
                }
            }
        }
        self.groups = groups
        self.duplicates = duplicates
        all = Set(groups.values.joined())
    }

    /// The identifiers under a key of the file, in their order; empty if the file doesn't have the key.
    public subscript(group: String) -> [String] { groups[group] ?? [] }

    private static func identifier(_ element: Any, _ file: String, _ key: String, _ index: Int) throws(StoreError)
        -> String
    {
        guard let text = element as? String else { throw failure(file, key, "element \(index) is not a string") }
        guard !text.isEmpty else { throw failure(file, key, "element \(index) is empty") }
        guard !text.unicodeScalars.contains(where: whiteSpace.contains) else {
            throw failure(file, key, "element \(index) contains white space: \(text.debugDescription)")
        }
        return text
    }

    private static func failure(_ file: String, _ key: String, _ reason: String) -> StoreError {
        let place = key.isEmpty ? "" : "\"\(key)\": "
        return StoreError(
            .invalidProductIDs, "The product identifiers in \"\(file)\" cannot be used: \(place)\(reason).")
    }
}

/// The decoded content of a file of product identifiers, before it is validated.
private struct ProductIdentifiersFile {
    private let url: URL

    init(_ url: URL) {
        self.url = url
    }

    /// Returns the content of the file: arrays, dictionaries, strings, numbers.
    func content() throws(StoreError) -> Any {
        let data = try data()
        let isJSON = isJSON(data)
        do {
            guard isJSON else {
                return try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
            }
            return try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
        } catch {
            throw failure("it is not a well-formed \(isJSON ? "JSON document" : "property list")", error)
        }
    }

    private func data() throws(StoreError) -> Data {
        guard url.isFileURL else { throw failure("it is not a file") }
        let limit = ProductIdentifiers.maximumSize
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            data = try handle.read(upToCount: limit + 1) ?? Data()
        } catch {
            throw failure("it cannot be read", error)
        }
        guard data.count <= limit else { throw failure("it is longer than \(limit) bytes") }
        guard !data.isEmpty else { throw failure("it is empty") }
        return data
    }

    private func isJSON(_ data: Data) -> Bool {
        switch url.pathExtension.lowercased() {
        case "json": return true
        case "plist": return false
        default:
            let start = data.drop { [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
            return !start.starts(with: Data("<".utf8)) && !start.starts(with: Data("bplist".utf8))
        }
    }

    private func failure(_ reason: String, _ error: (any Error)? = nil) -> StoreError {
        StoreError(
            .invalidProductIDs, "The product identifiers in \"\(url.lastPathComponent)\" cannot be used: \(reason).",
            underlying: error)
    }
}
