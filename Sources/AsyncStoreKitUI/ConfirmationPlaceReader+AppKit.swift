#if os(macOS)
    import AppKit
    import AsyncStoreKit
    import SwiftUI

    /// A view without a size that finds its window, and that has a controller: a window of SwiftUI may have none, and
    /// sheets need one.
    struct ConfirmationPlaceReader: NSViewControllerRepresentable {
        let place: ConfirmationPlace

        func makeNSViewController(context: Context) -> NSViewController {
            let controller = NSViewController()
            controller.view = NSView(frame: .zero)
            return controller
        }

        func updateNSViewController(_ controller: NSViewController, context: Context) {
            place.find = { [weak controller] in
                controller.flatMap { $0.view.window == nil ? nil : PresentationAnchor($0) }
            }
            place.window = { [weak controller] in controller?.view.window }
        }
    }

    extension Notification.Name {
        static let appBecameActive = NSApplication.didBecomeActiveNotification
        static let appLeft = NSApplication.didResignActiveNotification
        /// The object is the window.
        static let windowUsed = NSWindow.didBecomeKeyNotification
    }
#endif
