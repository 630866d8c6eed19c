/// A value of the property list format in which Xcode writes projects.
enum PropertyListValue: Hashable, Sendable {
    case text(String)
    case list([PropertyListValue])
    case table([String: PropertyListValue])

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var list: [PropertyListValue]? { if case .list(let list) = self { list } else { nil } }
    var table: [String: PropertyListValue]? { if case .table(let table) = self { table } else { nil } }
}

/// A strict reader of the format: a value has one spelling, keys are unique, and nothing follows the value.
struct PropertyListText {
    struct Mistake: Error, Hashable, CustomStringConvertible {
        let line: Int
        let reason: String
        var description: String { "line \(line): \(reason)" }
    }

    private let bytes: [UInt8]
    private var place = 0

    /// Reads a text.
    static func value(of text: String) throws(Mistake) -> PropertyListValue {
        var reader = PropertyListText(bytes: Array(text.utf8))
        guard text.hasPrefix("// !$*UTF8*$!\n") else { throw reader.mistake("the encoding is missing") }
        reader.place = "// !$*UTF8*$!\n".utf8.count
        let value = try reader.value()
        try reader.skip()
        guard reader.place == reader.bytes.count else { throw reader.mistake("a text follows the value") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func mistake(_ reason: String) -> Mistake {
        let line = bytes.prefix(place).count { $0 == UInt8(ascii: "\n") } + 1
        return Mistake(line: line, reason: reason)
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Skips white space and comments.
    private mutating func skip() throws(Mistake) {
        while let byte = next {
            if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") {
                place += 1
            } else if bytes[place...].starts(with: Array("/*".utf8)) {
                var end = place + 2
                while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "*") || bytes[end + 1] != UInt8(ascii: "/") {
                    end += 1
                }
                guard end + 1 < bytes.count else { throw mistake("a comment doesn't end") }
                place = end + 2
            } else {
                return
            }
        }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Mistake) {
        try skip()
        guard next == UInt8(ascii: character) else { throw mistake("\(character) is missing") }
        place += 1
    }

    private mutating func value() throws(Mistake) -> PropertyListValue {
        try skip()
        switch next {
        case UInt8(ascii: "{"): return .table(try table())
        case UInt8(ascii: "("): return .list(try list())
        default: return .text(try text())
        }
    }

    private mutating func table() throws(Mistake) -> [String: PropertyListValue] {
        try expect("{")
        var table: [String: PropertyListValue] = [:]
        while true {
            try skip()
            if next == UInt8(ascii: "}") { break }
            let key = try text()
            guard table[key] == nil else { throw mistake("\(key) occurs twice") }
            try expect("=")
            table[key] = try value()
            try expect(";")
        }
        place += 1
        return table
    }

    private mutating func list() throws(Mistake) -> [PropertyListValue] {
        try expect("(")
        var list: [PropertyListValue] = []
        while true {
            try skip()
            if next == UInt8(ascii: ")") { break }
            list.append(try value())
            try expect(",")
        }
        place += 1
        return list
    }

    private mutating func text() throws(Mistake) -> String {
        let start = place
        if next == UInt8(ascii: "\"") {
            place += 1
            var unescaped: [UInt8] = []
            while let byte = next, byte != UInt8(ascii: "\"") {
                guard byte != UInt8(ascii: "\n") else { throw mistake("a quoted text doesn't end") }
                if byte == UInt8(ascii: "\\") { place += 1 }
                guard let byte = next else { break }
                unescaped.append(byte)
                place += 1
            }
            try expect("\"")
            let text = String(decoding: unescaped, as: UTF8.self)
            guard text.isEmpty || !text.utf8.allSatisfy(Self.needsNoQuotes) else {
                throw mistake("\(text) has unnecessary quotes")
            }
            return text
        }
        while let byte = next, Self.needsNoQuotes(byte) { place += 1 }
        guard place > start else { throw mistake("a value is missing") }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private static func needsNoQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
