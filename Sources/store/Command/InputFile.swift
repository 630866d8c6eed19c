package import Foundation

/// Reads the files that commands receive by path.
package enum InputFile {
    /// The maximum size of a file, in bytes: 64 MB, a thousand times the usual size.
    package static let largestSize: Int64 = 64_000_000

    /// Reads a regular file or the target of a symbolic link.
    ///
    /// The function checks the kind and the size of the file first. It never reads pipes and devices: they may
    /// have no end.
    /// - Parameters:
    ///   - path: The path of the file. If there is a `standardInput`, `-` means standard input.
    ///   - kind: What the file should be, with an article, such as `a receipt`.
    ///   - standardInput: Reads up to a number of bytes from standard input.
    /// - Throws: ``CommandFailure`` with code ``ExitCode/noInput`` that names the path and the reason.
    package static func read(
        _ path: String, as kind: String, standardInput: ((_ count: Int) throws -> Data)? = nil
    ) throws(CommandFailure) -> Data {
        if path == "-", let standardInput {
            return try read("standard input") { try standardInput(Int(largestSize) + 1) }
        }
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
        default:
            let advice =
                standardInput == nil
                ? "Save its contents to a file first." : "To read standard input, use - as the file."
            throw CommandFailure(.noInput, "\(path) is a pipe or a device, not \(kind). \(advice)")
        }
        try check((attributes[.size] as? NSNumber)?.int64Value ?? 0, path)
        // The file may have grown since the size was checked.
        return try read(path) {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            return try file.read(upToCount: Int(largestSize) + 1) ?? Data()
        }
    }

    private static func read(_ path: String, _ body: () throws -> Data) throws(CommandFailure) -> Data {
        let data: Data
        do {
            data = try body()
        } catch {
            throw unreadable(path, error)
        }
        try check(Int64(data.count), path)
        return data
    }

    private static func check(_ size: Int64, _ path: String) throws(CommandFailure) {
        guard size > largestSize else { return }
        throw CommandFailure(.noInput, "\(path) is larger than \(ByteCount(largestSize)), the maximum.")
    }

    /// Returns the failure for a file that can't be read.
    package static func unreadable(_ path: String, _ error: any Error) -> CommandFailure {
        CommandFailure(.noInput, "\(path) cannot be read: \(reason(path, error)).")
    }

    /// Returns the reason in a few words. Foundation's own texts say twice that a file can't be opened.
    private static func reason(_ path: String, _ error: any Error) -> String {
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        let posix = [error, underlying].compactMap { $0 }.first { $0.domain == NSPOSIXErrorDomain }.map {
            Int32($0.code)
        }
        let code = posix ?? (access(URL(fileURLWithPath: path).path, R_OK) == 0 ? EIO : errno)
        switch code {
        case ENOENT: return "no such file"
        case EACCES, EPERM: return "permission denied"
        case ENOTDIR: return "a part of the path is not a folder"
        default: return String(cString: strerror(code)).lowercased()
        }
    }
}
