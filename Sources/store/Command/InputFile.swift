package import Foundation

/// A file that a command is given by its path.
package enum InputFile {
    /// The largest file that is read, in bytes: 64 MB, a thousand times what receipts and configuration files usually have.
    package static let largestSize: Int64 = 64_000_000

    /// Reads a regular file, or one that a symbolic link leads to. Its kind and its size are looked at first: nothing is read from
    /// pipes and devices, which may have no end.
    ///
    /// - Parameter kind: What the file should be, with its article.
    /// - Throws: ``CommandFailure`` with code ``ExitCode/noInput`` that names the path and the reason.
    package static func read(_ path: String, as kind: String) throws(CommandFailure) -> Data {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        } catch {
            throw unreadable(path, error)
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular: break
        case .typeDirectory: throw CommandFailure(.noInput, "\(path) is a folder, not \(kind).")
        default: throw CommandFailure(.noInput, "\(path) is a pipe or a device, not \(kind): save what it gives to a file first.")
        }
        try check((attributes[.size] as? NSNumber)?.int64Value ?? 0, path)
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            // The file may have grown since its size was looked at.
            data = try file.read(upToCount: Int(largestSize) + 1) ?? Data()
        } catch {
            throw unreadable(path, error)
        }
        try check(Int64(data.count), path)
        return data
    }

    private static func check(_ size: Int64, _ path: String) throws(CommandFailure) {
        guard size > largestSize else { return }
        throw CommandFailure(.noInput, "\(path) has \(ByteCount(size)); at most \(ByteCount(largestSize)) are read.")
    }

    private static func unreadable(_ path: String, _ error: any Error) -> CommandFailure {
        CommandFailure(.noInput, "\(path) cannot be read: \(error.localizedDescription)")
    }
}
