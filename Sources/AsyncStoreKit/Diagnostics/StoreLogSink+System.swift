#if canImport(os)
    import os

    extension StoreLogSink {
        static func writeToSystem(_ event: StoreLogEvent) {
            unifiedLog(subsystem: "AsyncStoreKit")(event)
        }

        /// Returns a closure that writes events to the unified log, where Console and `log stream` show them.
        ///
        /// Messages are logged as public: no event contains a receipt, a secret, an account, a path or a user's name.
        /// Warnings have the log type `error`, so that the system stores them.
        /// - Parameters:
        ///   - subsystem: The subsystem, usually the app's bundle identifier.
        ///   - category: The category of the events.
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
#else
    extension StoreLogSink {
        static func writeToSystem(_ event: StoreLogEvent) {
            lines(from: .warning)(event)
        }
    }
#endif
