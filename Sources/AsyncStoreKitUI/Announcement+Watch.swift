#if os(watchOS)
    import Accessibility

    enum Announcement {
        /// Tells people who use VoiceOver about a change that no view of theirs shows, in watchOS 10 and later.
        @MainActor static func post(_ text: String) {
            guard #available(watchOS 10, *) else { return }
            AccessibilityNotification.Announcement(text).post()
        }
    }
#endif
