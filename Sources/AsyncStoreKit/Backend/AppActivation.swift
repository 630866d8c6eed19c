#if canImport(Darwin)
    import Foundation

    /// When the app comes to the front.
    enum AppActivation {
        /// Has a handler called each time, until the task is cancelled.
        static func listen(_ handle: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
            Task { for await _ in NotificationCenter.default.notifications(named: name) { handle() } }
        }

        /// The notification by name: the frameworks that have it are not for libraries that show nothing.
        private static var name: Notification.Name {
            #if os(macOS)
                Notification.Name("NSApplicationDidBecomeActiveNotification")
            #elseif os(watchOS)
                Notification.Name("WKApplicationDidBecomeActiveNotification")
            #else
                Notification.Name("UIApplicationDidBecomeActiveNotification")
            #endif
        }
    }
#endif
