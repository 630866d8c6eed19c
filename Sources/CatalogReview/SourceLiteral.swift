/// A string literal in a source file, or a string in a property list.
package struct SourceLiteral: Sendable, Hashable {
    /// The path of the file; `nil` for an identifier that an app passes.
    package let file: String?
    /// The line at which the literal begins, starting with 1; `nil` without a file.
    package let line: Int?
    /// The text without escapes. An interpolation is a null character.
    package let text: String
    /// Whether the literal is in a list of products, so that it names a product in any case.
    let namesProduct: Bool

    /// Creates a literal of a list of products.
    package init(product: String, file: String?, line: Int?) {
        self.init(file: file, line: line, text: product, namesProduct: true)
    }

    private init(file: String?, line: Int?, text: String, namesProduct: Bool) {
        self.file = file
        self.line = line
        self.text = text
        self.namesProduct = namesProduct
    }
}

/// A source file whose string literals are read without a parser.
package struct SourceText: Sendable {
    /// The path of the file.
    let path: String
    /// The lines of the file, in lower case and without comments.
    let lines: [String]
    /// The string literals, in order.
    package private(set) var literals: [SourceLiteral] = []

    /// Reads a source file. Comments are skipped.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - path: The path of the file. A file of JavaScript, TypeScript or Dart also has literals in single quotation
    ///     marks. The literals of a property list are its keys and strings.
    package init(_ text: String, path: String) {
        self.path = path
        guard !path.hasSuffix(".plist") else {
            let elements = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.split(separator: "<")
            }
            lines = elements.map { _ in "" }
            for (index, line) in elements.enumerated() {
                for element in line where element.hasPrefix("string>") || element.hasPrefix("key>") {
                    let content = element.drop { $0 != ">" }.dropFirst()
                    literals.append(SourceLiteral(file: path, line: index + 1, text: String(content)))
                }
            }
            return
        }
        let quotes: [UInt8] =
            ["js", "jsx", "ts", "tsx", "dart"].contains { path.hasSuffix(".\($0)") } ? [34, 39] : [34]
        var scanner = LiteralScanner(bytes: Array(text.utf8), quotes: quotes)
        scanner.scan()
        literals = scanner.literals.map { SourceLiteral(file: path, line: $0.line, text: $0.text) }
        lines = String(decoding: scanner.code, as: UTF8.self).lowercased()
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

extension SourceLiteral {
    fileprivate init(file: String, line: Int, text: String) {
        self.init(file: file, line: line, text: text, namesProduct: false)
    }
}

/// Finds string literals and comments in the source of a language of the C family.
private struct LiteralScanner {
    let bytes: [UInt8]
    let quotes: [UInt8]
    private(set) var literals: [(line: Int, text: String)] = []
    /// The source without comments.
    private(set) var code: [UInt8] = []
    private var position = 0
    private var line = 1

    /// Letters, digits, and what separates them: nothing that begins or ends a literal, a comment or an escape.
    private static let plain = Set((UInt8(32)...126).filter { !"\"'#/\\()*".utf8.contains($0) })
    private static let newline = UInt8(ascii: "\n")
    private static let backslash = UInt8(ascii: "\\")

    init(bytes: [UInt8], quotes: [UInt8]) {
        self.bytes = bytes
        self.quotes = quotes
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[min(position, bytes.count)...].starts(with: $0) }
    }

    /// Moves to the next byte, which is code or not.
    private mutating func skip(_ count: Int = 1, isCode: Bool = true) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == Self.newline { line += 1 }
            if isCode || bytes[position] == Self.newline { code.append(bytes[position]) }
            position += 1
        }
    }

    /// Scans to the end, or to the parenthesis that closes an interpolation.
    mutating func scan(insideInterpolation: Bool = false) {
        var depth = 0
        while let next = byte() {
            if Self.plain.contains(next) {
                skip()
            } else if starts(with: "//") {
                while let comment = byte(), comment != Self.newline { skip(isCode: false) }
            } else if starts(with: "/*") {
                skipBlockComment()
            } else if quotes.contains(next) {
                scanLiteral(quote: next, pounds: 0)
            } else if next == UInt8(ascii: "#"), let pounds = poundsBeforeQuote() {
                skip(pounds)
                scanLiteral(quote: UInt8(ascii: "\""), pounds: pounds)
            } else {
                if insideInterpolation, next == UInt8(ascii: "(") { depth += 1 }
                if insideInterpolation, next == UInt8(ascii: ")") {
                    if depth == 0 { return }
                    depth -= 1
                }
                // An interpolation doesn't continue in the next line.
                if insideInterpolation, next == Self.newline { return }
                skip()
            }
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                skip(2, isCode: false)
            } else if starts(with: "*/") {
                depth -= 1
                skip(2, isCode: false)
            } else {
                skip(isCode: false)
            }
        } while depth > 0 && position < bytes.count
    }

    private func poundsBeforeQuote() -> Int? {
        let count = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        return byte(count) == UInt8(ascii: "\"") ? count : nil
    }

    private mutating func scanLiteral(quote: UInt8, pounds: Int) {
        let start = line
        let isMultiline = byte(1) == quote && byte(2) == quote && quote == UInt8(ascii: "\"")
        let end =
            Array(repeating: quote, count: isMultiline ? 3 : 1) + Array(repeating: UInt8(ascii: "#"), count: pounds)
        let escape = [Self.backslash] + Array(repeating: UInt8(ascii: "#"), count: pounds)
        var text: [UInt8] = []
        skip(isMultiline ? 3 : 1)
        while let next = byte() {
            if Self.plain.contains(next) {
                text.append(next)
                skip()
                continue
            }
            let rest = bytes[position...]
            if rest.starts(with: end) {
                skip(end.count)
                break
            }
            // A literal that isn't closed ends with its line.
            if next == Self.newline, !isMultiline { break }
            if rest.starts(with: escape) {
                skip(escape.count)
                if byte() == UInt8(ascii: "(") {
                    text.append(0)
                    skip()
                    scan(insideInterpolation: true)
                } else if let escaped = byte() {
                    text.append(escaped)
                }
                if byte() != Self.newline || isMultiline { skip() }
            } else {
                text.append(next)
                skip()
            }
        }
        literals.append((start, String(decoding: text, as: UTF8.self)))
    }
}
