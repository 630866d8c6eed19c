/// Which of the views that show alerts shows which alert.
///
/// An alert belongs to the view that was used last, and stays there until the customer dismisses it. If its view
/// disappears before, the alert is handed on.
package struct StoreAlerts: Sendable, Hashable {
    /// The places of the views that show alerts, the one used last at the end. Within a window, it's the one that
    /// appeared last, as a sheet covers the view below.
    package private(set) var places: [ConfirmationPlace] = []
    private var alerts: [ConfirmationPlace: StoreAlert] = [:]

    package init() {}

    package subscript(_ place: ConfirmationPlace) -> StoreAlert? { alerts[place] }

    @MainActor package mutating func appeared(_ place: ConfirmationPlace) {
        places.removeAll { $0 == place }
        used(windowOf: place)
        places.append(place)
    }

    /// The customer uses the window of a place. Alerts that are shown stay where they are.
    @MainActor package mutating func used(windowOf place: ConfirmationPlace) {
        let window = places.filter { $0.sharesWindow(with: place) }
        places = places.filter { !window.contains($0) } + window
    }

    /// A view has disappeared. Another one shows its alert, unless that one shows an alert of its own.
    @MainActor package mutating func disappeared(_ place: ConfirmationPlace) {
        places.removeAll { $0 == place }
        guard let alert = alerts.removeValue(forKey: place), let next, alerts[next] == nil else { return }
        alerts[next] = alert
    }

    /// The place that shows the next alert: the one used last, of those that are on the screen.
    @MainActor package var next: ConfirmationPlace? { places.last(where: \.isOnScreen) ?? places.last }

    /// Shows an alert. Without a place that shows alerts, it must not surprise the customer later, on another screen.
    /// - Returns: What a screen reader announces instead of an alert that isn't shown.
    package mutating func show(_ alert: StoreAlert?, at place: ConfirmationPlace?) -> String? {
        guard let alert, let place, places.contains(place) else { return alert?.message }
        alerts[place] = alert
        return nil
    }

    package mutating func dismissed(at place: ConfirmationPlace) { alerts[place] = nil }
}
