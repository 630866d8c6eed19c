import Foundation

/// The results of the checks on one device, and the events that the app saw during each check.
struct ChecklistRun: Sendable, Hashable, Codable {
    enum Result: String, Sendable, Hashable, Codable, CaseIterable {
        case notRun = "not run"
        case running = "running"
        case asExpected = "as expected"
        case differs = "differs"
    }

    /// An event, with the seconds since the check began.
    struct Observation: Sendable, Hashable, Codable {
        let signal: ChecklistSignal
        let seconds: Int
    }

    struct Entry: Sendable, Hashable, Codable {
        var result = Result.notRun
        var observations: [Observation] = []
        /// Whether the app saw the expected events by itself.
        var wasSeenByApp = false
        /// When the check began. The app may be launched again during a check.
        fileprivate(set) var begin: Date?
    }

    /// The device and its system, such as `iPhone, iOS 26.2`.
    let device: String
    /// The App Store's environment, such as `sandbox`.
    let environment: String
    private(set) var entries: [String: Entry] = [:]
    private(set) var running: String?

    init(device: String, environment: String) {
        self.device = device
        self.environment = environment
    }

    subscript(check: ChecklistCheck) -> Entry { entries[check.name] ?? Entry() }

    /// Begins a check. A check that is running ends with the events that were seen.
    mutating func begin(_ check: ChecklistCheck, at date: Date) {
        if let running, entries[running]?.result == .running { entries[running]?.result = .notRun }
        entries[check.name] = Entry(result: .running, begin: date)
        running = check.name
    }

    /// Adds an event to the running check. The check ends as expected when its last expected event arrives.
    mutating func observe(_ signal: ChecklistSignal, at date: Date, in checks: [ChecklistCheck] = Self.checks) {
        guard let running, var entry = entries[running], entry.result == .running, let begin = entry.begin,
            let check = checks.first(where: { $0.name == running })
        else { return }
        let seconds = Int(max(0, date.timeIntervalSince(begin)).rounded())
        entry.observations.append(Observation(signal: signal, seconds: seconds))
        var missing = check.expects
        for observation in entry.observations {
            if let index = missing.firstIndex(of: observation.signal) { missing.remove(at: index) }
        }
        // More deliveries than expected, or an error, isn't the expected result.
        let deliveries = entry.observations.count { $0.signal == .delivered }
        let expectedDeliveries = check.expects.count { $0 == .delivered }
        if signal == .ledgerFailed || expectedDeliveries > 0 && deliveries > expectedDeliveries {
            entry.result = .differs
        } else if !check.expects.isEmpty, missing.isEmpty {
            entry.result = .asExpected
            entry.wasSeenByApp = true
        }
        entries[running] = entry
    }

    /// Records the result that a person saw.
    mutating func mark(_ check: ChecklistCheck, _ result: Result) {
        entries[check.name, default: Entry()].result = result
        entries[check.name]?.wasSeenByApp = false
        if running == check.name { running = nil }
    }

    static let checks = ChecklistSection.all.flatMap(\.checks)
}
