extension DeclarationTable {
    /// Describes the declarations of another table that this one lacks, or has in another form.
    func differences(from other: DeclarationTable) -> [String] {
        other.declarations.sorted { $0.key < $1.key }.flatMap { path, wanted -> [String] in
            guard let found = declarations[path] else { return ["\(path) is missing: \(wanted[0].form)"] }
            return wanted.compactMap { Self.difference(of: found, from: $0, at: path) }
        }
    }

    /// Describes the declarations of this table that the other one lacks or has in another form, for the types that the
    /// other table has.
    func additions(to other: DeclarationTable) -> [String] {
        let types = Set(other.declarations.keys.map(Self.type))
        return declarations.sorted { $0.key < $1.key }.flatMap { path, found -> [String] in
            guard types.contains(Self.type(of: path)), !Self.isSynthesized(path) else { return [] }
            let forms = Set((other.declarations[path] ?? []).map(\.form))
            return found.map(\.form).filter { !forms.contains($0) }.map { "\(path) exists only here: \($0)" }
        }
    }

    /// Returns the declarations whose paths another table has, too.
    func filtered(by other: DeclarationTable) -> DeclarationTable {
        var copy = self
        copy.declarations = declarations.filter { other.declarations[$0.key] != nil }
        return copy
    }

    /// Returns the declarations of both tables.
    func merging(_ other: DeclarationTable) -> DeclarationTable {
        var copy = self
        copy.declarations.merge(other.declarations) { $0 + $1 }
        return copy
    }

    private static func difference(of found: [Declaration], from wanted: Declaration, at path: String) -> String? {
        if !isBridged(path), !found.contains(where: { $0.form == wanted.form }) {
            return "\(path) is \(found.map(\.form).joined(separator: ", ")) instead of \(wanted.form)"
        }
        if wanted.isOpen, !found.contains(where: \.isOpen) { return "\(path) isn't open" }
        let lacking = found.reduce(wanted.conformances) { $0.subtracting($1.conformances) }
        return lacking.isEmpty ? nil : "\(path) doesn't conform to \(lacking.sorted().joined(separator: ", "))"
    }

    private static func type(of path: String) -> String {
        String(path.prefix { $0 != "." })
    }

    /// Whether the compiler adds a declaration with this path, or a protocol that isn't compared asks for it.
    private static func isSynthesized(_ path: String) -> Bool {
        [
            "==(_:_:)", "!=(_:_:)", "~=(_:_:)", ".hash(into:)", ".hashValue", ".localizedDescription",
            ".debugDescription", ".errorDescription", ".encode(to:)", "AsyncIterator.Element",
        ].contains { path.hasSuffix($0) }
    }

    /// Whether this is a member of an error that Apple's compiler imports from Objective-C, in a form of its own.
    private static func isBridged(_ path: String) -> Bool {
        ["errorDomain", "errorCode", "errorUserInfo", "userInfo", "~=(_:_:)"].contains { path.hasSuffix($0) }
    }
}
