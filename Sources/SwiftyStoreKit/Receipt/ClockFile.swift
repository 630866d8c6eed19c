package import AsyncStoreKit
package import Foundation

/// A file that records for later launches how far the device's clock was ahead when a response of `verifyReceipt`
/// arrived.
///
/// The file doesn't exist while the clock is correct.
package struct ClockFile: Sendable {
    /// A response that arrived while the device's clock was ahead.
    package struct Arrival: Codable, Sendable, Hashable {
        /// The date of the request, by Apple's clock.
        package let request: Date
        /// The date of the arrival, by the device's clock.
        package let device: Date
        /// Whether the response came directly from Apple, so that its request date was the current time.
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

    /// The file in the app's folder; `nil` in a process without a bundle identifier, such as a test's.
    static var standard: ClockFile? {
        guard let app = Bundle.main.bundleIdentifier else { return nil }
        return ClockFile(EntitlementFile(url: StoreFolder().file("\(app).clock")))
    }

    /// The content of the file; `nil` if the file can't be read now.
    func load() -> [Arrival]? {
        do {
            guard let data = try storage.load() else { return [] }
            return (try? JSONDecoder().decode([Arrival].self, from: data)) ?? []
        } catch {
            return nil
        }
    }

    /// Replaces the file. A failure is ignored: later launches then use the device's clock.
    func save(_ arrivals: [Arrival]) {
        guard let data = try? JSONEncoder().encode(arrivals) else { return }
        try? storage.save(data)
    }
}
