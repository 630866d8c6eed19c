/// Whether the paywall of `paywall(for:isDismissible:content:)` is on the screen.
package struct PaywallPresentation: Sendable, Hashable {
    private var isDismissed = false
    /// Whether the view has disappeared since it appeared.
    private var hasLeft = false

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

    /// Records that the view disappeared. A paywall that covers the whole screen can make its view disappear: the
    /// customer hasn't left the view then.
    package mutating func disappeared(_ phase: EntitledPhase) {
        hasLeft = !isPresented(phase)
    }

    /// Records that the view appeared. A paywall that was closed appears again with its view.
    package mutating func appeared() {
        if hasLeft { isDismissed = false }
        hasLeft = false
    }
}
