import Foundation

/// Takes the values of header fields out of a text, should a server repeat them.
struct SecretRedaction: Sendable {
    private let secrets: [String]

    /// - Parameter headers: The app's own header fields. The words of a value count by themselves ("Bearer …"), unless they are so
    ///   short that they would be found everywhere.
    init(_ headers: [String: String]) {
        let words = headers.values.flatMap { [$0] + $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        // The longest first, so that no part of one remains when a part of it is a secret too.
        secrets = Set(words.filter { $0.count >= 6 }).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// The text without them, in whatever case a server has written them.
    func redact(_ text: String) -> String {
        secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: "…", options: .caseInsensitive) }
    }
}
