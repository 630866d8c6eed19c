#if canImport(SwiftUI)
    import AsyncStoreKit
    import SwiftUI

    #if canImport(UIKit) && !os(watchOS)
        import UIKit

        typealias PlatformView = UIView
    #elseif canImport(AppKit)
        import AppKit

        typealias PlatformView = NSView
    #endif

    /// Where on the screen a view is, for what the system shows there.
    @MainActor final class ConfirmationPlace {
        #if !os(watchOS)
            fileprivate weak var view: PlatformView?
        #endif

        /// The window's scene, or the window; `nil` while the view is in none, and where the system needs no place.
        var anchor: PresentationAnchor? {
            #if os(watchOS)
                nil
            #elseif os(macOS)
                view?.window.map { PresentationAnchor($0) }
            #else
                view?.window?.windowScene.map { PresentationAnchor($0) }
            #endif
        }

        /// The options with this place, unless they name one.
        func anchored(_ options: PurchaseOptions) -> PurchaseOptions {
            var options = options
            options.anchor = options.anchor ?? anchor
            return options
        }
    }

    #if os(watchOS)
        struct ConfirmationPlaceReader: View {
            let place: ConfirmationPlace

            var body: some View { Color.clear }
        }
    #elseif os(macOS)
        /// A view without a size, which knows its window.
        struct ConfirmationPlaceReader: NSViewRepresentable {
            let place: ConfirmationPlace

            func makeNSView(context: Context) -> NSView {
                let view = NSView(frame: .zero)
                place.view = view
                return view
            }

            func updateNSView(_ view: NSView, context: Context) { place.view = view }
        }
    #else
        /// A view without a size, which knows its window.
        struct ConfirmationPlaceReader: UIViewRepresentable {
            let place: ConfirmationPlace

            func makeUIView(context: Context) -> UIView {
                let view = UIView(frame: .zero)
                view.isUserInteractionEnabled = false
                view.isAccessibilityElement = false
                place.view = view
                return view
            }

            func updateUIView(_ view: UIView, context: Context) { place.view = view }
        }
    #endif
#endif
