#if os(watchOS)
    import Foundation
    import SwiftUI

    /// A watch has one screen, and purchases need no place.
    struct ConfirmationPlaceReader: View {
        let place: ConfirmationPlace

        var body: some View { Color.clear }
    }

    extension Notification.Name {
        static let appBecameActive = Notification.Name("WKApplicationDidBecomeActiveNotification")
        static let appLeft = Notification.Name("WKApplicationWillResignActiveNotification")
        /// Never posted.
        static let windowUsed = Notification.Name("AsyncStoreKitWindowUsed")
    }
#endif
