import Foundation

/// Ready places for a store's log events to go; for ``StoreConfiguration/log``.
///
/// ```swift
/// let configuration = StoreConfiguration(log: StoreLogSink.lines())
/// ```
public enum StoreLogSink {
    /// Writes one line for each event, with its time in UTC and its level.
    ///
    /// Control characters are written as `\u{…}`: an event is always one line, and cannot command a terminal.
    /// - Parameters:
    ///   - level: Events that matter less are left out.
    ///   - clock: Tells the time.
    ///   - write: Writes a line, which does not end in a line break; called from any thread, several at once. Standard error by default.
    public static func lines(
        from level: StoreLogEvent.Level = .notice, clock: any StoreClock = SystemStoreClock(),
        write: @escaping @Sendable (String) -> Void = StoreLogSink.standardError
    ) -> @Sendable (StoreLogEvent) -> Void {
        { event in
            guard event.level >= level else { return }
            write("\(timestamp(clock.now)) \(event.level) \(printable(event.message))")
        }
    }

    /// Writes errors only: to the system's log on Apple's platforms, to standard error elsewhere. The default of
    /// ``StoreConfiguration/log``.
    public static let errors: @Sendable (StoreLogEvent) -> Void = { event in
        if event.level == .error { writeError(event) }
    }

    /// Writes a line to standard error, in one piece.
    public static let standardError: @Sendable (String) -> Void = { line in
        // A terminal that has gone away is no reason for a purchase to fail.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }

    private static func timestamp(_ date: Date) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: date)
    }

    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            if isUnprintable(scalar) {
                line += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
    }

    /// Controls, and what makes a terminal break a line or turn the order of its characters round.
    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}

/// Something worth a line in a log. No event carries a receipt, a shared secret or a user's name.
public struct StoreLogEvent: Sendable, Hashable {
    /// How much it matters.
    public enum Level: Sendable, Hashable, Comparable {
        /// Of interest while debugging.
        case debug
        /// Something happened that is worth knowing.
        case notice
        /// Something is wrong in the app, or at the App Store.
        case warning
        /// The app uses the store in a way that can't work. Change the app.
        case error
    }

    /// How much it matters.
    public let level: Level
    /// What happened.
    public let message: String

    /// Makes an event.
    public init(_ level: Level, _ message: String) {
        self.level = level
        self.message = message
    }
}
