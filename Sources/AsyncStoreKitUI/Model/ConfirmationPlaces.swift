import AsyncStoreKit

/// The places of the views that provide a model, the one that the customer used last at the end.
@MainActor struct ConfirmationPlaces {
    private struct Reference {
        weak var place: ConfirmationPlace?
    }

    private var references: [Reference] = []

    nonisolated init() {}

    mutating func use(_ place: ConfirmationPlace) {
        references.removeAll { $0.place == nil || $0.place === place }
        references.append(Reference(place: place))
    }

    /// The place that was used last, of those that are still on the screen.
    var anchor: PresentationAnchor? {
        references.reversed().lazy.compactMap { $0.place?.anchor }.first
    }
}

extension StoreModelCore {
    /// Presents purchases and sheets where the customer is, and reads what may have changed while the app wasn't
    /// active.
    package func handle(_ event: ViewActivation.Event, at place: ConfirmationPlace) async {
        let response = place.activation.handle(event)
        guard response != .nothing else { return }
        places.use(place)
        use(windowOf: place)
        store.setPresentationAnchor { [weak self] in self?.places.anchor }
        if response == .readAgain { await refresh() }
    }

    /// The customer uses a view: alerts appear in its window from now on.
    package func use(windowOf place: ConfirmationPlace) {
        change { $0.alerts.used(windowOf: place) }
    }

    /// Whether one of the system's sheets is open in the window of a place.
    package func isSheetOpen(at place: ConfirmationPlace) -> Bool {
        state.openSheets.contains { $0.sharesWindow(with: place) }
    }
}
