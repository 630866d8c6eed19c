import Foundation

/// The reason for a delivery's decision, for the log and for the next attempt.
package struct DeliveryAnswer: Sendable, Hashable {
    /// What an answer says about the app's server.
    package enum Evidence: Sendable, Hashable {
        /// The server has decided: it works, or it wants this purchase later.
        case working
        /// The server may be failing for every purchase.
        case failing
        /// Nothing was sent.
        case nothingSent
    }

    /// The status of the server's response; `nil` if a server didn't respond.
    package var status: Int?
    /// What the answer says about the server.
    package var evidence = Evidence.failing
    /// The response or the error in a few words, without URLs, header fields and receipts.
    package var summary: String
    /// The identifier that was sent with the request, to find it in the server's log.
    package var requestID: String?

    package init(status: Int? = nil, evidence: Evidence = .failing, summary: String, requestID: String? = nil) {
        self.status = status
        self.evidence = evidence
        self.summary = summary
        self.requestID = requestID
    }

    var description: String { summary + (requestID.map { ", request \($0)" } ?? "") }
}

/// Collects the answers of an attempt, by delivery key.
package final class DeliveryJournal: Sendable {
    private let state = Locked([String: DeliveryAnswer]())

    var answers: [String: DeliveryAnswer] { state.withLock { $0 } }

    package func record(_ answer: DeliveryAnswer, for keys: [String]) {
        state.withLock { for key in keys { $0[key] = answer } }
    }
}
