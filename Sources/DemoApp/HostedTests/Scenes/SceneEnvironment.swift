import AsyncStoreKit
import Foundation

/// Where scenes are played.
struct SceneEnvironment: Sendable, CustomStringConvertible {
    let engine: StoreEngine
    let platform: ScenePlatform
    /// The name of the system, such as `iOS`.
    let systemName: String
    let system: DottedVersion
    /// The version of Xcode that built the tests; `nil` without Xcode.
    let xcode: DottedVersion?

    /// The name of the engine for which the tests were started, if any.
    static let wantedEngine = ProcessInfo.processInfo.environment["SCENE_ENGINE"]

    var description: String {
        "\(engine) on \(systemName) \(system), \(platform)" + (xcode.map { ", built with Xcode \($0)" } ?? "")
    }
}

/// The kinds of systems on which a session runs.
enum ScenePlatform: Sendable, Hashable {
    case simulator, device, mac
    /// Without Apple's StoreKit Test. The module `StoreKitTest` of this package has the sessions.
    case simulatedAppStore

    /// The kinds of systems with Apple's StoreKit Test.
    static let apples: Set<ScenePlatform> = [.simulator, .device, .mac]
}

/// The version of a system or of Xcode.
struct DottedVersion: Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
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

    /// Reads `DTXcode`, with which Xcode signs a bundle: `2641` is Xcode 26.4.1.
    init?(dtXcode text: String) {
        guard let number = Int(text), number >= 100 else { return nil }
        self.init(major: number / 100, minor: number / 10 % 10)
    }

    static func < (left: DottedVersion, right: DottedVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    var description: String { "\(major).\(minor)" }
}
