import AppStoreSimulator
import Foundation

// The identifiers of the file, compared with those in the code.
extension CatalogReview {
    /// Returns the differences between the identifiers of the file and the code.
    ///
    /// - Parameters:
    ///   - sources: The source files.
    ///   - listed: The identifiers in lists of products.
    package func findings(sources: [SourceText], listed: [SourceLiteral] = []) -> [CatalogFinding] {
        let names = ProductNames(productIDs)
        var findings: [CatalogFinding] = []
        for source in sources {
            let products = source.literals.filter { names.contains($0.text) }.compactMap(\.line)
            for literal in source.literals {
                let line = literal.line ?? 1
                let lines = source.lines.prefix(line).suffix(2)
                let isNear = products.contains { abs($0 - line) <= 12 }
                if let finding = names.finding(literal, lines: Array(lines), isNearProduct: isNear) {
                    findings.append(finding)
                }
            }
        }
        findings += listed.compactMap { names.finding($0, lines: [], isNearProduct: true) }
        // An identifier that occurs again is the same mistake.
        var messages: Set<String> = []
        return sorted(findings.filter { messages.insert($0.message).inserted })
            + missingInCode(sources.flatMap(\.literals) + listed)
    }

    private func missingInCode(_ literals: [SourceLiteral]) -> [CatalogFinding] {
        let names = ProductNames(productIDs)
        let use = CodeUse(literals.map(\.text), prefix: names.prefix)
        guard !use.composesIdentifiers else { return [] }
        let missing = products.filter { product in product.id.map { !use.contains($0) } ?? false }
        guard !missing.isEmpty else { return [] }
        if missing.count == products.count, missing.count > 1 {
            return sorted([
                .init(
                    .identifierNotInCode,
                    "The code names none of the \(missing.count) products. Pass all folders of sources, or turn this rule off if the app gets its products from a server."
                )
            ])
        }
        return sorted(
            missing.map { product in
                .init(
                    .identifierNotInCode, at: product.node.path(of: "productID"),
                    "The code doesn't name \(product.name), so the app can't sell it. Remove the product, or load it.")
            })
    }
}

/// What the code says about identifiers.
private struct CodeUse {
    private let texts: Set<String>
    /// The ends of literals that begin with an interpolation.
    private let ends: [Substring]
    /// Whether the code adds names to the common beginning of the identifiers, in a way that can't be followed.
    let composesIdentifiers: Bool

    init(_ texts: [String], prefix: String?) {
        let all = Set(texts)
        self.texts = all
        let interpolated = texts.filter { $0.contains("\0") }
        ends = interpolated.compactMap { text in
            text.split(separator: "\0", omittingEmptySubsequences: false).last.flatMap { $0.count < 3 ? nil : $0 }
        }
        composesIdentifiers =
            prefix.map { prefix in
                all.contains(prefix) || interpolated.contains { $0.hasPrefix(prefix) && $0.hasSuffix("\0") }
            } ?? false
    }

    /// Returns whether a literal is the identifier, its last parts, or an interpolation that ends like it.
    func contains(_ id: String) -> Bool {
        if texts.contains(id) || ends.contains(where: { id.hasSuffix($0) }) { return true }
        return id.indices.contains { index in
            guard id[index] == "." else { return false }
            return texts.contains(String(id[index...])) || texts.contains(String(id[index...].dropFirst()))
        }
    }
}

/// The identifiers of a file, and what looks like one.
private struct ProductNames {
    private let ids: [String]
    private let set: Set<String>
    /// The lengths of the identifiers.
    private let sizes: Set<Int>
    /// The common beginning of the identifiers, up to a period; `nil` without one.
    let prefix: String?

    init(_ ids: [String]) {
        self.ids = ids
        set = Set(ids)
        sizes = Set(ids.map(\.utf8.count))
        let common = ids.dropFirst().reduce(ids.first ?? "") { $0.commonPrefix(with: $1) }
        let end = common.lastIndex(of: ".")
        prefix = end.map { String(common[...$0]) }
    }

    func contains(_ text: String) -> Bool { set.contains(text) }

    /// Returns a finding for a literal that isn't an identifier of the file, but should be.
    ///
    /// - Parameters:
    ///   - literal: The literal.
    ///   - lines: The line of the literal and the line before, in lower case.
    ///   - isNearProduct: Whether a literal in the neighborhood is an identifier of the file.
    func finding(_ literal: SourceLiteral, lines: [String], isNearProduct: Bool) -> CatalogFinding? {
        let text = literal.text
        guard literal.namesProduct || isSimilar(text), !set.contains(text) else { return nil }
        // The literal itself says nothing about the line.
        let line = (lines.last ?? "").replacingOccurrences(of: text.lowercased(), with: "")
        let isAboutProducts =
            literal.namesProduct || lines.contains { line in Self.productWords.contains { line.contains($0) } }
        guard literal.namesProduct || !Self.otherWords.contains(where: { line.contains($0) }) else { return nil }
        if let id = ids.first(where: { isMisspelled(text, of: $0, isAboutProducts || isNearProduct) }) {
            return .init(
                .misspelledIdentifier, file: literal.file, line: literal.line,
                "\"\(text)\" isn't in the file, but \"\(id)\" is. Correct the identifier.")
        }
        guard literal.namesProduct || isAboutProducts || isNearProduct, isBelowPrefix(text) || literal.namesProduct
        else { return nil }
        return .init(
            .identifierNotInFile, file: literal.file, line: literal.line,
            "\"\(text)\" isn't in the file, so the app can't sell it. Add the product, or correct the identifier.")
    }

    /// A quick test that most literals fail.
    private func isSimilar(_ text: String) -> Bool {
        let size = text.utf8.count
        guard (3...100).contains(size), text.utf8.allSatisfy(Self.isAllowed) else { return false }
        return prefix.map { text.hasPrefix($0) } ?? false || sizes.contains { abs($0 - size) <= 1 }
    }

    private func isBelowPrefix(_ text: String) -> Bool {
        guard let prefix else { return false }
        return text.count > prefix.count && text.hasPrefix(prefix) && !text.hasSuffix(".")
    }

    /// Returns whether a text is an identifier in another case or with one wrong letter. A word without a period can
    /// be anything, such as a title, so it has to be near products. Digits count: packs are numbered.
    private func isMisspelled(_ text: String, of id: String, _ isNear: Bool) -> Bool {
        guard id.count >= 5, isNear || id.contains(".") else { return false }
        guard abs(text.utf8.count - id.utf8.count) <= 1 else { return false }
        if text.lowercased() == id.lowercased() { return isNear || text.contains(".") }
        guard id.contains("."), text.contains(".") else { return false }
        return text.differsInOneLetter(from: id)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static let productWords = [
        "product", "purchase", "sku", "iap", "subscri", "storekit", "paywall", "entitle", "price",
    ]
    // Words near other reverse domain names.
    private static let otherWords = [
        "label:", "subsystem", "notification", "forkey", "userdefaults", "suitename", "keychain", "queue", "logger",
        "category", "domain", "service", "activity", "bundle", "url", "identifier: \"group", "bgtask", "background",
        "appstorage", "key:", "entitlementid",
    ]
}

extension String {
    /// Returns whether one letter is inserted, missing, or another one, or two neighbors are swapped.
    fileprivate func differsInOneLetter(from other: String) -> Bool {
        let (mine, theirs) = (Array(utf8), Array(other.utf8))
        let start = zip(mine, theirs).prefix { $0 == $1 }.count
        let (rest, otherRest) = (mine[start...], theirs[start...])
        if rest.isEmpty && otherRest.isEmpty { return false }
        // Numbers at this place tell products apart.
        guard [rest.first, otherRest.first].compactMap(\.self).allSatisfy({ !(48...57).contains($0) }) else {
            return false
        }
        if mine.count == theirs.count {
            let isSwap =
                rest.count > 1 && rest.prefix(2).reversed().elementsEqual(otherRest.prefix(2))
                && rest.dropFirst(2).elementsEqual(otherRest.dropFirst(2))
            return isSwap || rest.dropFirst().elementsEqual(otherRest.dropFirst())
        }
        return mine.count > theirs.count
            ? rest.dropFirst().elementsEqual(otherRest) : otherRest.dropFirst().elementsEqual(rest)
    }
}
