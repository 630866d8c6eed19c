import AppReceipt
import AsyncStoreKit
import Foundation

/// The members of a server's JSON that decide something. ``HTTPDeliveryResponse/decision(at:)`` has the table.
struct HTTPDeliveryReply: Sendable {
    /// `nil` without a text.
    private var decision: String?
    /// What the server says about each purchase, by delivery key; `nil` without `decisions`.
    private(set) var decisions: [String: HTTPDeliveryReply]?
    /// In seconds, above 0.
    private var retryAfter: TimeInterval?
    /// For people: one line, at most 1,000 characters.
    private(set) var message: String?

    /// Creates the reply in a body; `nil` if the body isn't a JSON object in UTF-8, with or without a byte order mark.
    init?(_ body: Data) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = body.starts(with: byteOrderMark) ? body.dropFirst(byteOrderMark.count) : body
        guard let tape = try? JSONTape(Data(text)) else { return nil }
        self.init(tape, 0)
    }

    private init?(_ tape: JSONTape, _ index: Int) {
        guard let members = Self.members(of: tape, index) else { return nil }
        func text(_ name: String) -> String? {
            members[name].map(tape.node).flatMap { $0.kind == .string ? tape.string($0) : nil }
        }
        decision = text("decision")
        if let index = members["decisions"], tape.node(index).kind != .null {
            decisions = (Self.members(of: tape, index) ?? [:]).compactMapValues { Self(tape, $0) }
        }
        let seconds = members["retryAfter"].map(tape.node).flatMap {
            $0.kind == .number ? Double(tape.string($0)) : nil
        }
        retryAfter = seconds.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        message = ["message", "detail", "title"].lazy.compactMap(text).compactMap(Self.forPeople).first
    }

    /// Returns the members of an object; `nil` if the value is another one, or if a name occurs twice, because readers
    /// differ on which of them is used (RFC 8259, 4).
    private static func members(of tape: JSONTape, _ index: Int) -> [String: Int]? {
        guard tape.node(index).kind == .object else { return nil }
        var members: [String: Int] = [:]
        for name in tape.names(of: index) {
            guard members.updateValue(name + 1, forKey: tape.string(tape.node(name))) == nil else { return nil }
        }
        return members
    }

    /// Returns the decision about a purchase; `nil` if the reply doesn't decide. A gateway's error page can contain the
    /// body of an earlier response, so a server that fails never finishes a purchase.
    func decision(for key: String, statusCode: Int, header: TimeInterval?) -> DeliveryDecision? {
        guard decisions == nil else {
            return decisions?[key]?.decision(for: key, statusCode: statusCode, header: header)
        }
        switch decision {
        case "accepted" where (200..<300).contains(statusCode): return .accepted
        case "rejected" where (200..<500).contains(statusCode):
            return .rejected(reason: message ?? "The app's server refused the purchase without a reason.")
        case "retryLater": return .retryLater(after: retryAfter ?? header, reason: message)
        default: return nil
        }
    }

    /// Returns the text on one line without control characters; `nil` if nothing is left.
    private static func forPeople(_ text: String) -> String? {
        // Scalars are limited too: a single character may have any number of them.
        let scalars = text.unicodeScalars.prefix(4_000).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        let line = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespacesAndNewlines)
        return line.isEmpty ? nil : String(line.prefix(1_000))
    }
}
