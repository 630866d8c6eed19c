import AsyncStoreKit
import Foundation

/// A timeline as a JSON object. Days are calendar days in UTC; `until` is the day after the last day of a state.
struct EntitlementTimelineReport: Encodable {
    private struct Event: Encodable {
        let day: Int
        let date: String
        let action: String
        let product: String?
    }

    private struct Product: Encodable {
        let product: String
        let states: [State]
        let commitment: Commitment?
    }

    private struct Commitment: Encodable {
        let month: Int64
        let months: Int64
        let end: String
        let renews: Bool
    }

    private struct State: Encodable {
        let state: String
        let from: String
        let until: String
        let days: Int
    }

    private let configuration: String
    private let days: Int
    private let events: [Event]
    private let products: [Product]

    private init(_ timeline: EntitlementTimeline, file: String) {
        func date(_ day: Int) -> String { EntitlementTimeline.text(timeline.date(ofDay: day)) }
        configuration = file
        days = timeline.days
        events = timeline.steps.map {
            Event(day: $0.day, date: date($0.day), action: $0.action.rawValue, product: $0.productID)
        }
        products = timeline.products.map { product in
            Product(
                product: product,
                states: (timeline.spans[product] ?? []).map { span in
                    State(
                        state: span.state.rawValue, from: date(span.firstDay), until: date(span.end),
                        days: span.end - span.firstDay)
                },
                commitment: timeline.commitments[product].map { commitment in
                    Commitment(
                        month: commitment.month, months: commitment.months,
                        end: EntitlementTimeline.text(commitment.end),
                        renews: commitment.renews)
                })
        }
    }

    /// Returns the lines of the object, with sorted keys. Characters that control a terminal are escaped.
    static func lines(_ timeline: EntitlementTimeline, file: String) -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(EntitlementTimelineReport(timeline, file: file)) else { return ["{}"] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0).escapedForJSON }
    }
}
