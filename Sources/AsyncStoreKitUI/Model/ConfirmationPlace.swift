package import AsyncStoreKit

/// The place of a view on the screen, for purchases and sheets. A `ConfirmationPlaceReader` behind the view finds it.
@MainActor package final class ConfirmationPlace {
    /// Finds the place. The reader sets it on systems that have places.
    package var find: @MainActor () -> PresentationAnchor? = { nil }
    /// Whether the view is in this window or scene. The reader sets it.
    package var isIn: @MainActor (AnyObject) -> Bool = { _ in false }
    /// When the view uses its model.
    fileprivate var activation = ViewActivation()

    package nonisolated init() {}

    /// The place on the screen; `nil` while the view isn't in a window, and on systems without places.
    package var anchor: PresentationAnchor? { find() }

    /// Returns the options with this place, unless they name an anchor.
    package func anchored(_ options: PurchaseOptions) -> PurchaseOptions {
        var options = options
        options.anchor = options.anchor ?? anchor
        return options
    }
}

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
        store.setPresentationAnchor { [weak self] in self?.places.anchor }
        if response == .readAgain { await refresh() }
    }
}
