package import AsyncStoreKit
package import Foundation

/// A file that records for later launches by how much the device's clock was ahead when an answer of `verifyReceipt` arrived.
///
/// The file doesn't exist as long as the clock is right.
package struct ClockFile: Sendable {
    /// An answer that came while the device's clock was ahead.
    package struct Arrival: Codable, Sendable, Hashable {
        /// When Apple was asked, by its own clock.
        package let request: Date
        /// What the device's clock showed when the answer came.
        package let device: Date
        /// Whether Apple had just made the answer.
        package let tellsTime: Bool

        package init(request: Date, device: Date, tellsTime: Bool) {
            self.request = request
            self.device = device
            self.tellsTime = tellsTime
        }
    }

    private let storage: any EntitlementCache

    package init(_ storage: any EntitlementCache) {
        self.storage = storage
    }

    /// The file of the app, in its Application Support folder; `nil` in a process without a bundle identifier, which shares that folder.
    static var standard: ClockFile? {
        guard let app = Bundle.main.bundleIdentifier else { return nil }
        let folder = EntitlementFile().url.deletingLastPathComponent()
        return ClockFile(EntitlementFile(url: folder.appendingPathComponent("\(app).clock")))
    }

    /// The content of the file; empty if the file can't be read.
    func load() -> [Arrival] {
        guard let data = try? storage.load() else { return [] }
        return (try? JSONDecoder().decode([Arrival].self, from: data)) ?? []
    }

    /// Replaces the file. A failure is ignored: later launches then use the device's clock.
    func save(_ arrivals: [Arrival]) {
        guard let data = try? JSONEncoder().encode(arrivals) else { return }
        try? storage.save(data)
    }
}
