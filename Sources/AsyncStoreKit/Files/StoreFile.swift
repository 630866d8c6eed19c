#if canImport(Darwin)
    import Foundation

    /// The functions of a file that differ between systems.
    enum StoreFile {
        /// Opens a file for writing, and creates a missing one, which only the user of the process can read and write.
        ///
        /// After a restart, the file can be read once the device has been unlocked, even in an app
        /// whose files are otherwise protected while the device is locked: purchases are delivered in the background.
        /// - Returns: The descriptor, or -1 with the reason in `errno`.
        static func openForWriting(_ path: String, _ flags: Int32) -> Int32 {
            #if os(macOS) || targetEnvironment(macCatalyst)
                return open(path, flags | O_CREAT, 0o600)
            #else
                // The protection class is set at creation. A file of the app's own class couldn't be created on a
                // locked device.
                guard access(path, F_OK) != 0 else { return open(path, flags) }
                try? Data().write(
                    to: URL(fileURLWithPath: path),
                    options: [.completeFileProtectionUntilFirstUserAuthentication, .withoutOverwriting])
                let descriptor = open(path, flags | O_CREAT, 0o600)
                if descriptor >= 0 { _ = fchmod(descriptor, 0o600) }
                return descriptor
            #endif
        }

        /// Writes a file's data to the disk. `fsync` leaves data in the cache of the disk on Apple's platforms.
        static func synchronize(_ descriptor: Int32) -> Bool {
            fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
        }

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

    extension StoreFolder.System {
        package static var current: Self {
            #if os(tvOS)
                .caches
            #elseif os(macOS) || targetEnvironment(macCatalyst)
                // The home directory of an app in the sandbox is in its container.
                NSHomeDirectory().contains("/Library/Containers/") ? .container : .shared
            #else
                .container
            #endif
        }
    }
#else
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
