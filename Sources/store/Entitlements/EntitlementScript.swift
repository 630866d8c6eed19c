import AppStoreSimulator

/// The events in the life of a customer, day by day.
package struct EntitlementScript: Sendable, Hashable {
    /// A kind of event.
    package enum Action: String, Sendable, CaseIterable {
        case buy, cancel, resume, lapse, refund, share, unshare
        case declinePayments = "decline-payments"
        case acceptPayments = "accept-payments"
        case gracePeriod = "grace-period"

        /// Whether the action needs a product.
        var hasProduct: Bool {
            switch self {
            case .declinePayments, .acceptPayments, .gracePeriod: false
            default: true
            }
        }
    }

    /// An event, one line of the script.
    package struct Step: Sendable, Hashable {
        package let day: Int
        package let action: Action
        package let productID: String?
        /// The place in the script, for error messages.
        let place: String
    }

    package let steps: [Step]

    /// The last day that a script can name.
    static let lastDay = 3_650

    /// Parses a script.
    /// - Throws: ``CommandFailure`` with code ``ExitCode/noInput`` that names the line and the reason.
    init(_ text: String, named name: String, _ catalog: SimulatedCatalog) throws(CommandFailure) {
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first else { continue }
            let place = "\(name), line \(index + 1)"
            guard let day = Int(first), (0...Self.lastDay).contains(day) else {
                throw CommandFailure(.noInput, "\(place): \(first.shown) is not a day from 0 to \(Self.lastDay).")
            }
            guard day >= steps.last?.day ?? 0 else {
                throw CommandFailure(.noInput, "\(place): day \(day) is before the day of an earlier line.")
            }
            steps.append(try Self.step(day, Array(words.dropFirst()), place, catalog))
        }
        self.steps = steps
    }

    private static func step(
        _ day: Int, _ words: [String], _ place: String, _ catalog: SimulatedCatalog
    ) throws(CommandFailure) -> Step {
        guard let word = words.first else { throw CommandFailure(.noInput, "\(place): the action is missing.") }
        guard let action = Action(rawValue: word) else {
            let suggestion = word.suggestion(among: Action.allCases.map(\.rawValue))
            throw CommandFailure(
                .noInput, "\(place): there is no action \(word.shown)\(suggestion.isEmpty ? "." : suggestion)")
        }
        guard words.count == (action.hasProduct ? 2 : 1) else {
            throw CommandFailure(
                .noInput, "\(place): \(word) takes \(action.hasProduct ? "one product" : "no product").")
        }
        guard action.hasProduct else { return Step(day: day, action: action, productID: nil, place: place) }
        guard catalog.products.contains(where: { $0.productID == words[1] }) else {
            let suggestion = words[1].suggestion(among: catalog.products.map(\.productID))
            throw CommandFailure(
                .noInput, "\(place): there is no product \(words[1].shown)\(suggestion.isEmpty ? "." : suggestion)")
        }
        return Step(day: day, action: action, productID: words[1], place: place)
    }

    /// Creates the script of the included year.
    ///
    /// The customer subscribes, lets the subscription lapse, subscribes again, and gets a refund. The customer also
    /// buys a product of each other kind. With monthly plans, the customer makes a commitment, has a declined
    /// payment, and cancels.
    init(for catalog: SimulatedCatalog, _ plans: MonthlyPlans) {
        var steps: [(Int, Action, String?)] = []
        let committed = plans.isOn ? MonthlyPlans.products(in: catalog).first?.productID : nil
        if let committed {
            steps += [
                (3, .buy, committed), (90, .declinePayments, nil), (120, .acceptPayments, nil),
                (250, .cancel, committed),
            ]
        }
        let subscriptions = catalog.products.filter { $0.kind == .autoRenewableSubscription }
        // The subscription with the shortest period has the most renewals in a year.
        if committed == nil, let subscription = subscriptions.min(by: { Self.days($0) < Self.days($1) })?.productID {
            steps += [
                (3, .buy, subscription), (120, .cancel, subscription), (200, .buy, subscription),
                (285, .gracePeriod, nil),
            ]
            steps += [
                (288, .declinePayments, nil), (304, .acceptPayments, nil), (330, .cancel, subscription),
                (340, .refund, subscription),
            ]
        }
        if let product = catalog.products.first(where: { $0.kind == .nonConsumable })?.productID {
            steps.append((20, .buy, product))
        }
        if let product = catalog.products.first(where: { $0.kind == .nonRenewingSubscription })?.productID {
            steps += [(60, .buy, product), (75, .buy, product)]
        }
        self.steps = steps.sorted { $0.0 < $1.0 }.map {
            Step(day: $0.0, action: $0.1, productID: $0.2, place: "day \($0.0)")
        }
    }

    private static func days(_ product: SimulatedProduct) -> Int {
        guard let period = product.subscription?.period else { return .max }
        let length =
            switch period.unit {
            case .day: 1
            case .week: 7
            case .month: 30
            case .year: 365
            }
        return length * period.numberOfUnits
    }
}
