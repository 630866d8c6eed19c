#if canImport(os)
    import os

    extension StoreLogSink {
        static func writeError(_ event: StoreLogEvent) {
            unifiedLog(subsystem: "AsyncStoreKit")(event)
        }

        /// Hands events to the system's log, where Console and `log stream` show them.
        ///
        /// Messages are public there: no event carries a receipt, a secret or a user's name. A warning is an error there, so that
        /// it is kept, as notices are.
        /// - Parameters:
        ///   - subsystem: The app's bundle identifier, by custom.
        ///   - category: What the events are listed under.
        public static func unifiedLog(
            subsystem: String, category: String = "AsyncStoreKit"
        ) -> @Sendable (StoreLogEvent) -> Void {
            let logger = Logger(subsystem: subsystem, category: category)
            return { event in
                let level: OSLogType =
                    switch event.level {
                    case .debug: .debug
                    case .notice: .default
                    case .warning, .error: .error
                    }
                logger.log(level: level, "\(event.message, privacy: .public)")
            }
        }
    }
#endif
