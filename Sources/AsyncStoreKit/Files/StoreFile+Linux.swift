#if !canImport(Darwin)
    import Foundation

    /// The functions of a file that differ between systems.
    enum StoreFile {
        /// Opens a file for writing, and creates a missing one, which only the user of the process can read and write.
        /// - Returns: The descriptor, or -1 with the reason in `errno`.
        static func openForWriting(_ path: String, _ flags: Int32) -> Int32 { open(path, flags | O_CREAT, 0o600) }

        /// Writes a file's data to the disk.
        static func synchronize(_ descriptor: Int32) -> Bool { fsync(descriptor) == 0 }

        /// Returns a folder beside the folders of apps: there are no app groups here. A group is named like a bundle.
        static func container(ofGroup group: String) -> URL? {
            guard !group.isEmpty, !group.contains("/") else { return nil }
            let folder = StoreFolder(of: "Group Containers").url.deletingLastPathComponent()
            return folder.appendingPathComponent(group, isDirectory: true)
        }

        /// Does nothing: this system has no automatic backup.
        static func leaveOutOfBackups(_ url: URL) throws {}
    }

    extension StoreFolder.System {
        package static var current: Self { .shared }
    }
#endif
