#if !canImport(Darwin)
    import Foundation

    extension EntitlementFile {
        /// This system has no file protection.
        static var writingOptions: Data.WritingOptions { [] }

        /// Returns a folder beside the app's own: there are no app groups here. A group is named like a bundle.
        static func container(ofGroup group: String) -> URL? {
            guard !group.isEmpty, !group.contains("/") else { return nil }
            return applicationSupport.appendingPathComponent("Group Containers/\(group)", isDirectory: true)
        }

        /// Does nothing: this system has no automatic backup.
        static func leaveOutOfBackups(_ url: URL) throws {}
    }
#endif
