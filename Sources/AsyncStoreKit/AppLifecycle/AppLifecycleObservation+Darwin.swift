#if canImport(Darwin)
    import Foundation
    import Network

    /// What Apple's systems tell of an app and of its network, for as long as it is kept.
    final class AppLifecycleObservation: Sendable {
        private let tasks: [Task<Void, Never>]
        private let network = NWPathMonitor()

        init(_ receive: @escaping @Sendable (AppLifecycleStateMachine.Event) -> Void) {
            tasks = Self.notifications.map { name, event in
                Task {
                    for await _ in NotificationCenter.default.notifications(named: name) { receive(event) }
                }
            }
            network.pathUpdateHandler = { receive($0.status == .satisfied ? .networkFound : .networkLost) }
            network.start(queue: DispatchQueue(label: "AsyncStoreKit.network"))
        }

        deinit {
            tasks.forEach { $0.cancel() }
            network.cancel()
        }

        /// By name: the frameworks that have them are not for libraries that show nothing.
        private static var notifications: [(Notification.Name, AppLifecycleStateMachine.Event)] {
            #if os(macOS)
                [(Notification.Name("NSApplicationDidBecomeActiveNotification"), .becameActive)]
            #elseif os(watchOS)
                [
                    (Notification.Name("WKApplicationDidBecomeActiveNotification"), .becameActive),
                    (Notification.Name("WKApplicationDidEnterBackgroundNotification"), .enteredBackground),
                ]
            #else
                [
                    (Notification.Name("UIApplicationDidBecomeActiveNotification"), .becameActive),
                    (Notification.Name("UIApplicationDidEnterBackgroundNotification"), .enteredBackground),
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
