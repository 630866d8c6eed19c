#if os(macOS)
    import AppKit

    enum Announcement {
        /// Tells people who use VoiceOver about a change that no view of theirs shows.
        @MainActor static func post(_ text: String) {
            // A command-line tool has no application, and the global constant is nil there.
            let application = NSApplication.shared
            NSAccessibility.post(
                element: application.mainWindow ?? application, notification: .announcementRequested,
                userInfo: [.announcement: text, .priority: NSAccessibilityPriorityLevel.high.rawValue])
        }
    }
#endif
