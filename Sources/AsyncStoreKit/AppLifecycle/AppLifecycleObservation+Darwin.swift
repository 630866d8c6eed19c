#if canImport(Darwin)
    import Foundation
    import Network

    #if os(macOS)
        import AppKit
    #endif

    /// What Apple's systems tell of an app and of its network, for as long as it is kept.
    final class AppLifecycleObservation: Sendable {
        private let tasks: [Task<Void, Never>]
        private let network = NWPathMonitor()

        init(_ receive: @escaping @Sendable (AppLifecycleStateMachine.Event) -> Void) {
            tasks = Self.notifications.map { center, name, event in
                // A notification isn't Sendable, and only its name matters.
                observe(center.notifications(named: name).map { _ in event }, receive)
            }
            network.pathUpdateHandler = { receive($0.status == .satisfied ? .networkFound : .networkLost) }
            network.start(queue: DispatchQueue(label: "AsyncStoreKit.network"))
        }

        deinit {
            tasks.forEach { $0.cancel() }
            network.cancel()
        }

        /// The notifications, and the events that they mean.
        private static var notifications: [(NotificationCenter, Notification.Name, AppLifecycleStateMachine.Event)] {
            // A clock that is put right ends, or revives, subscriptions.
            [(.default, .NSSystemClockDidChange, .woke)] + platformNotifications
        }

        private static var platformNotifications: [(NotificationCenter, Notification.Name, AppLifecycleStateMachine.Event)] {
            #if os(macOS)
                // The workspace posts to a center of its own.
                [
                    (.default, NSApplication.didBecomeActiveNotification, .becameActive),
                    (NSWorkspace.shared.notificationCenter, NSWorkspace.didWakeNotification, .woke),
                ]
            #elseif os(watchOS)
                [
                    (.default, Notification.Name("WKApplicationDidBecomeActiveNotification"), .becameActive),
                    (.default, Notification.Name("WKApplicationDidEnterBackgroundNotification"), .enteredBackground),
                ]
            #else
                [
                    (.default, Notification.Name("UIApplicationDidBecomeActiveNotification"), .becameActive),
                    (.default, Notification.Name("UIApplicationDidEnterBackgroundNotification"), .enteredBackground),
                ]
            #endif
        }
    }

    #if os(macOS)
        /// A Mac does not suspend an app that has been left; it must only not end it suddenly.
        final class SystemBackgroundTime: BackgroundTime {
            func take(_ isUp: @escaping @Sendable () -> Void) { ProcessInfo.processInfo.disableSuddenTermination() }
            func giveBack() { ProcessInfo.processInfo.enableSuddenTermination() }
        }
    #else
        /// An expiring activity: the system grants it for as long as a thread is in it.
        final class SystemBackgroundTime: BackgroundTime {
            private let ends = Locked<[DispatchSemaphore]>([])

            func take(_ isUp: @escaping @Sendable () -> Void) {
                let end = DispatchSemaphore(value: 0)
                ends.withLock { $0.append(end) }
                ProcessInfo.processInfo.performExpiringActivity(withReason: "A purchase is being delivered.") { isExpired in
                    // Called a second time, on another thread, when the time is up; with that alone when there is none.
                    if isExpired { isUp() } else { end.wait() }
                }
            }

            func giveBack() {
                ends.withLock { ends in ends.isEmpty ? nil : ends.removeFirst() }?.signal()
            }
        }
    #endif
#endif
