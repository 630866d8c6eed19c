import Foundation

/// Destinations for a store's log events, for ``StoreConfiguration/log``.
///
/// ```swift
/// let configuration = StoreConfiguration(log: StoreLogSink.lines())
/// ```
public enum StoreLogSink {
    /// Returns a closure that writes one line for each event, with its time in UTC and its level.
    ///
    /// - Parameters:
    ///   - level: The lowest level to write.
    ///   - clock: The clock of the timestamps.
    ///   - write: Writes a line without a line break, to standard error by default. Called from any thread, also
    ///     concurrently.
    public static func lines(
        from level: StoreLogEvent.Level = .notice, clock: any StoreClock = SystemStoreClock(),
        write: @escaping @Sendable (String) -> Void = StoreLogSink.standardError
    ) -> @Sendable (StoreLogEvent) -> Void {
        { event in
            guard event.level >= level else { return }
            write(line(event, at: clock.now))
        }
    }

    static func line(_ event: StoreLogEvent, at date: Date) -> String {
        "\(timestamp(date)) \(event.level) \(event.message)"
    }

    /// Writes warnings and errors: to the system's log on Apple's platforms, to standard error elsewhere. The default
    /// of ``StoreConfiguration/log``.
    public static let warnings: @Sendable (StoreLogEvent) -> Void = { event in
        if event.level >= .warning { writeToSystem(event) }
    }

    /// Writes a line to standard error, in one piece.
    public static let standardError: @Sendable (String) -> Void = { line in
        // A closed terminal must not make a purchase fail.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }

    private static func timestamp(_ date: Date) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: date)
    }
}

/// A log event. No event contains a receipt, a shared secret, an account, a path or a user's name.
public struct StoreLogEvent: Sendable, Hashable {
    /// The importance of an event.
    public enum Level: Sendable, Hashable, Comparable {
        /// Details for debugging.
        case debug
        /// A notable event.
        case notice
        /// A problem in the app or at the App Store.
        case warning
        /// The app uses the store in a way that can't work. Change the app.
        case error
    }

    /// The importance.
    public let level: Level
    /// The message. Control characters, such as those of a product identifier, are written as `\u{…}`, so that the
    /// message is always one line and can't control a terminal.
    public let message: String

    /// Creates an event.
    public init(_ level: Level, _ message: String) {
        self.level = level
        self.message = message.escapedForLog
    }
}

extension String {
    /// The text with `\u{…}` for each character that is a control, breaks a line, or changes the direction of text.
    var escapedForLog: String {
        guard utf8.contains(where: Self.mayBeUnprintable), unicodeScalars.contains(where: \.isUnprintable) else {
            return self
        }
        return unicodeScalars.reduce(into: "") { line, scalar in
            if scalar.isUnprintable {
                line += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a byte of UTF-8 is a control, or the first one of a character that can be unprintable.
    private static func mayBeUnprintable(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
    }
}

extension Unicode.Scalar {
    /// Whether the character is a control, breaks a line, or has Unicode's property Bidi_Control.
    fileprivate var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// The last log events of a store in memory, from notices up. Support reads them when a customer writes.
final class StoreLogHistory: Sendable {
    /// The number of events that are kept.
    static let capacity = 100

    private let recorded = Locked<[(event: StoreLogEvent, date: Date)]>([])
    private let clock: any StoreClock

    init(clock: any StoreClock) {
        self.clock = clock
    }

    /// The events as lines with time and level, oldest first.
    var events: [String] {
        recorded.withLock { $0 }.map { StoreLogSink.line($0.event, at: $0.date) }
    }

    func record(_ event: StoreLogEvent) {
        guard event.level >= .notice else { return }
        let date = clock.now
        recorded.withLock { recorded in
            recorded.append((event, date))
            if recorded.count > Self.capacity { recorded.removeFirst(recorded.count - Self.capacity) }
        }
    }
}

extension Error {
    /// The part of an error that may be logged: a domain, a code, and the last component of a path. A description often
    /// contains a URL, a path or a name.
    package var nameForLog: String {
        switch self {
        case let error as StoreError: return error.description
        case is CancellationError: return "cancelled"
        default: break
        }
        let error = self as NSError
        let path = error.userInfo[NSFilePathErrorKey] as? String
        let url = path.map { URL(fileURLWithPath: $0) } ?? (error.userInfo[NSURLErrorKey] as? URL)
        let file = url.flatMap { $0.isFileURL ? " (\($0.lastPathComponent))" : nil } ?? ""
        return "\(error.domain) \(error.code)\(file)"
    }
}
