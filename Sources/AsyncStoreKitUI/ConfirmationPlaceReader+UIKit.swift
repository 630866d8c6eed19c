#if canImport(UIKit) && !os(watchOS)
    import AsyncStoreKit
    import SwiftUI
    import UIKit

    /// A view without a size that finds its window.
    struct ConfirmationPlaceReader: UIViewRepresentable {
        let place: ConfirmationPlace

        func makeUIView(context: Context) -> UIView {
            let view = UIView(frame: .zero)
            view.isUserInteractionEnabled = false
            view.isAccessibilityElement = false
            return view
        }

        func updateUIView(_ view: UIView, context: Context) {
            place.find = { [weak view] in view?.window?.windowScene.map { PresentationAnchor($0) } }
            place.window = { [weak view] in view?.window?.windowScene }
        }
    }

    extension Notification.Name {
        static let appBecameActive = UIApplication.didBecomeActiveNotification
        static let appLeft = UIApplication.willResignActiveNotification
        /// The object is the scene.
        static let windowUsed = UIScene.didActivateNotification
    }
#endif
