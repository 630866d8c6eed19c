#if canImport(UIKit) && !os(watchOS)
    import UIKit

    enum Announcement {
        /// Tells people who use VoiceOver about a change that no view of theirs shows.
        @MainActor static func post(_ text: String) {
            UIAccessibility.post(notification: .announcement, argument: text)
        }
    }
#endif
