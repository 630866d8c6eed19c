import Foundation

/// The line of every value in a JSON text, by key path.
struct JSONLines {
    private var lines: [String: Int] = [:]
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ data: Data) {
        bytes = Array(data)
        readValue(at: "")
    }

    /// Returns the line of a value, or of the innermost object that lacks it.
    func line(of keyPath: String) -> Int {
        var path = keyPath[...]
        while true {
            if let line = lines[String(path)] { return line }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return lines[""] ?? 1 }
            path = path[..<end]
        }
    }

    // The text was decoded before, so anything else than JSON only ends the search early.
    private mutating func readValue(at path: String) {
        skipSpace()
        guard position < bytes.count else { return }
        lines[path] = line
        switch bytes[position] {
        case UInt8(ascii: "{"):
            position += 1
            readMembers(of: path)
        case UInt8(ascii: "["):
            position += 1
            readElements(of: path)
        case UInt8(ascii: "\""): _ = readString()
        default:
            while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
        }
    }

    private mutating func readMembers(of path: String) {
        while skipSpace(), bytes[position] != UInt8(ascii: "}") {
            guard bytes[position] == UInt8(ascii: "\"") else {
                position += 1
                continue
            }
            let key = readString()
            guard skipSpace(), bytes[position] == UInt8(ascii: ":") else { return }
            position += 1
            readValue(at: path.isEmpty ? key : "\(path).\(key)")
        }
        position += 1
    }

    private mutating func readElements(of path: String) {
        var index = 0
        while skipSpace(), bytes[position] != UInt8(ascii: "]") {
            if bytes[position] == UInt8(ascii: ",") {
                position += 1
            } else {
                let start = position
                readValue(at: "\(path)[\(index)]")
                index += 1
                if position == start { return }
            }
        }
        position += 1
    }

    /// Reads a string, with its escapes as they are.
    private mutating func readString() -> String {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(position, bytes.count)
        position += 1
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Skips white space, and returns whether anything follows.
    @discardableResult
    private mutating func skipSpace() -> Bool {
        while position < bytes.count, Self.space.contains(bytes[position]) {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        return position < bytes.count
    }

    private static let space = Set(" \t\r\n".utf8)
    private static let ends = space.union(Set(",]}".utf8))
}
