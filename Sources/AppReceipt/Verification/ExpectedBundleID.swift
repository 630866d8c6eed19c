/// The app that a receipt or a signed payload has to belong to.
///
/// A string literal stands for exactly that app: `bundleID: "com.example.app"`. Compare with a constant in the code,
/// not with the bundle's information property list, which is as easily replaced as the receipt.
public enum ExpectedBundleID: Hashable, Sendable, ExpressibleByStringLiteral {
    /// This app and no other; bundle identifiers are compared byte by byte.
    case exactly(String)
    /// Any app: for a server of several apps that compares the identifier itself, and for tools.
    case any

    /// Expects the app with this bundle identifier.
    public init(stringLiteral bundleID: String) {
        self = .exactly(bundleID)
    }

    /// Whether `bundleID` is the expected one.
    func matches(_ bundleID: String?) -> Bool {
        switch self {
        case .any: true
        case .exactly(let expected): bundleID.map { $0.utf8.elementsEqual(expected.utf8) } ?? false
        }
    }
}
