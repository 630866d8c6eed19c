/// A known fault of StoreKit Test, or a missing feature, by the versions of the system that have it.
struct SessionFault: Sendable, CustomStringConvertible {
    /// The versions of a system that have a fault, such as `26.4..<26.5`.
    struct Versions: Sendable {
        let from: SystemVersion
        /// The first version without the fault; `nil` if the fault is open.
        let fixedIn: SystemVersion?

        func contains(_ version: SystemVersion) -> Bool {
            version >= from && fixedIn.map { version < $0 } ?? true
        }
    }

    /// The names of the affected scenes; `nil` for every scene.
    let scenes: Set<String>?
    let platforms: Set<ScenePlatform>
    let versions: Versions
    /// Apple's number of the report, the number in Apple's release notes, or the address of a public report.
    let reference: String
    let summary: String

    var description: String { "\(summary) (\(reference))" }

    /// Returns the faults that affect a scene on a system.
    static func faults(of scene: Scene, on platform: ScenePlatform, _ version: SystemVersion) -> [SessionFault] {
        all.filter { fault in
            fault.scenes?.contains(scene.name) ?? true && fault.platforms.contains(platform)
                && fault.versions.contains(version)
        }
    }

    static let all = [
        SessionFault(
            scenes: nil, platforms: Set(ScenePlatform.allCases), versions: .init(from: "26.4", fixedIn: "26.5"),
            reference: "FB22237318", summary: "A session ignores its configuration file"),
        SessionFault(
            scenes: nil, platforms: [.simulator], versions: .init(from: "26.5", fixedIn: "26.6"),
            reference: "FB22500243", summary: "A session doesn't connect in the simulator"),
        SessionFault(
            scenes: ["failing requests"], platforms: [.simulator, .device], versions: .init(from: "26", fixedIn: nil),
            reference: "developer.apple.com/forums/thread/808030",
            summary: "A simulated error doesn't reach requests for products"),
        SessionFault(
            scenes: ["refund"], platforms: Set(ScenePlatform.allCases), versions: .init(from: "15", fixedIn: "27"),
            reference: "FB22475017", summary: "A refunded product can't be bought again"),
        SessionFault(
            scenes: ["upgrade"], platforms: Set(ScenePlatform.allCases), versions: .init(from: "15", fixedIn: "27"),
            reference: "178441109", summary: "An upgraded subscription expires at once"),
        SessionFault(
            scenes: ["purchase on another device"], platforms: Set(ScenePlatform.allCases),
            versions: .init(from: "15", fixedIn: "27"), reference: "181842500",
            summary: "A session buys only subscriptions"),
        SessionFault(
            scenes: ["introductory offer"], platforms: Set(ScenePlatform.allCases),
            versions: .init(from: "15", fixedIn: "27"), reference: "FB24137836",
            summary: "Clearing the transactions doesn't make the customer eligible again"),
        SessionFault(
            scenes: ["win-back offer"], platforms: [.simulator, .device], versions: .init(from: "15", fixedIn: "18"),
            reference: "iOS 18 introduced them", summary: "The system has no win-back offers"),
        SessionFault(
            scenes: ["win-back offer"], platforms: [.mac], versions: .init(from: "14", fixedIn: "15"),
            reference: "macOS 15 introduced them", summary: "The system has no win-back offers"),
        SessionFault(
            scenes: ["storefront change"], platforms: Set(ScenePlatform.allCases),
            versions: .init(from: "27", fixedIn: nil), reference: "184155259",
            summary: "A session's storefront isn't reported as a change"),
    ]
}

/// The kinds of systems on which a session runs.
enum ScenePlatform: Sendable, Hashable, CaseIterable {
    case simulator, device, mac
}

/// The version of a system.
struct SystemVersion: Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    let major: Int
    let minor: Int

    init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads a version such as `26.4`. A part that isn't a number is 0.
    init(stringLiteral text: String) {
        let parts = text.split(separator: ".").map { Int($0) ?? 0 }
        self.init(major: parts.first ?? 0, minor: parts.dropFirst().first ?? 0)
    }

    static func < (left: SystemVersion, right: SystemVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    var description: String { "\(major).\(minor)" }
}
