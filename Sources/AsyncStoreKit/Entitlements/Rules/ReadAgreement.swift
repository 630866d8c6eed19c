import Foundation

/// How long the reads of this launch have said the same.
struct ReadAgreement: Sendable {
    private let timing: EntitlementTiming
    /// When the first complete read that nothing contradicts began.
    private var completeSince: Date?
    /// When reads began to lack what the device names elsewhere.
    private var contradictedSince: Date?

    init(_ timing: EntitlementTiming) {
        self.timing = timing
    }

    /// Records a read.
    /// - Parameters:
    ///   - listing: What the read lists.
    ///   - isContradicted: Whether the device names purchases elsewhere that the read lacks.
    ///   - emptySince: When reads began to list nothing.
    ///   - date: When the read began, by the device's clock.
    /// - Returns: How long reads have said the same.
    mutating func readEnded(
        _ listing: EntitlementConfirmation.Listing, isContradicted: Bool, emptySince: Date?, begun date: Date
    ) -> EntitlementConfirmation.Age {
        // A read that failed, or a part of one, says nothing about either.
        if listing == .complete || listing == .empty {
            contradictedSince = isContradicted ? min(contradictedSince ?? date, date) : nil
        }
        if listing == .complete, !isContradicted { completeSince = min(completeSince ?? date, date) }
        let since = isContradicted ? contradictedSince : listing == .complete ? completeSince : emptySince
        guard let seconds = since.map(date.timeIntervalSince) else { return .first }
        if seconds >= timing.contradiction { return .lasting }
        return seconds >= timing.pause(afterUnsettledReads: 1) ? .repeated : .first
    }
}
