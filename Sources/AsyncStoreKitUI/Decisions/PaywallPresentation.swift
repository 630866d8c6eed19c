/// Whether the paywall of `paywall(for:isDismissible:content:)` is on the screen.
package struct PaywallPresentation: Sendable, Hashable {
    private var isDismissed = false

    package init() {}

    /// A customer whose access isn't known yet sees no paywall.
    package func isPresented(_ phase: EntitledPhase) -> Bool { phase == .locked && !isDismissed }

    /// Records that the customer or the system has closed the paywall.
    package mutating func dismissed(isDismissible: Bool) {
        if isDismissible { isDismissed = true }
    }

    /// Records a change of the customer's access. A paywall that was closed appears again after access has ended.
    package mutating func phaseChanged(_ phase: EntitledPhase) {
        if phase == .content { isDismissed = false }
    }
}
