#if os(macOS)
    import AppKit
    import AsyncStoreKit
    import SwiftUI

    /// A view without a size that finds its window.
    struct ConfirmationPlaceReader: NSViewRepresentable {
        let place: ConfirmationPlace

        func makeNSView(context: Context) -> NSView { NSView(frame: .zero) }

        func updateNSView(_ view: NSView, context: Context) {
            place.find = { [weak view] in view?.window.map { PresentationAnchor($0) } }
        }
    }
#endif
