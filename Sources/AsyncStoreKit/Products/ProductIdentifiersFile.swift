import Foundation

/// A file of product identifiers, before anybody has looked at what is in it.
struct ProductIdentifiersFile {
    private let url: URL

    init(_ url: URL) {
        self.url = url
    }

    /// What the file holds: arrays, dictionaries, strings, numbers.
    func content() throws(StoreError) -> Any {
        let data = try data()
        let isJSON = isJSON(data)
        do {
            guard isJSON else { return try PropertyListSerialization.propertyList(from: data, options: [], format: nil) }
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
            .invalidProductIDs, "The product identifiers in \"\(url.lastPathComponent)\" cannot be used: \(reason).", underlying: error)
    }
}
