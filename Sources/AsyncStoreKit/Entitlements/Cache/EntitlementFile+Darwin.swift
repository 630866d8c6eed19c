#if canImport(Darwin)
    import Foundation

    extension EntitlementFile {
        /// A store that runs in the background can read the file while the device is locked.
        static var writingOptions: Data.WritingOptions { .completeFileProtectionUntilFirstUserAuthentication }

        /// Returns the folder that the apps and extensions of a group share.
        static func container(ofGroup group: String) -> URL? {
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        }

        static func leaveOutOfBackups(_ url: URL) throws {
            var url = url
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try url.setResourceValues(values)
        }
    }
#endif
