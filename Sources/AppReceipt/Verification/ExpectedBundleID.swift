/// The app that a receipt or a signed payload must belong to.
///
/// Use a string literal for one app: `bundleID: "com.example.app"`. Compare with a constant in your code, not with the
/// app's information property list, which an attacker can replace as easily as the receipt.
public enum ExpectedBundleID: Hashable, Sendable, ExpressibleByStringLiteral {
    /// One app. Bundle identifiers are compared byte by byte.
    case exactly(String)
    /// Any app, for tools, and for servers that compare the identifiers of several apps themselves.
    case any

    /// Expects the app with this bundle identifier.
    public init(stringLiteral bundleID: String) {
        self = .exactly(bundleID)
    }

    /// Returns whether `bundleID` is the expected bundle identifier.
    package func matches(_ bundleID: String?) -> Bool {
        switch self {
        case .any: true
        case .exactly(let expected): bundleID.map { $0.utf8.elementsEqual(expected.utf8) } ?? false
        }
    }
}
