import Foundation

/// How long the reads of this launch have said the same.
struct ReadAgreement: Sendable {
    private let timing: EntitlementTiming
    /// When the first complete read that nothing contradicts began.
    private var completeSince: Date?
    /// When reads began to list nothing.
    private var emptySince: Date?
    /// When reads began to lack what the device names elsewhere.
    private var contradictedSince: Date?

    init(_ timing: EntitlementTiming) {
        self.timing = timing
    }

    /// Records a read.
    /// - Parameters:
    ///   - listing: What the read lists.
    ///   - isContradicted: Whether the device names purchases elsewhere that the read lacks.
    ///   - date: When the read began, by the device's clock.
    /// - Returns: How long reads have said the same.
    mutating func readEnded(
        _ listing: EntitlementConfirmation.Listing, isContradicted: Bool, begun date: Date
    ) -> EntitlementConfirmation.Age {
        switch listing {
        case .complete:
            emptySince = nil
            contradictedSince = isContradicted ? min(contradictedSince ?? date, date) : nil
            if !isContradicted { completeSince = min(completeSince ?? date, date) }
        case .empty:
            emptySince = min(emptySince ?? date, date)
            contradictedSince = isContradicted ? min(contradictedSince ?? date, date) : nil
        case .none, .failed, .partial: break
        }
        let since = isContradicted ? contradictedSince : listing == .complete ? completeSince : emptySince
        guard let seconds = since.map(date.timeIntervalSince) else { return .first }
        if seconds >= timing.contradiction { return .lasting }
        return seconds >= timing.pause(afterUnsettledReads: 1) ? .repeated : .first
    }
}
