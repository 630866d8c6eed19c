import AsyncStoreKit

/// A known fault of StoreKit Test, or a missing feature, and where it occurs.
struct SessionFault: Sendable, CustomStringConvertible {
    /// Versions of a system or of Xcode, such as `26.4..<26.5`.
    struct Versions: Sendable {
        let from: DottedVersion
        /// The first version without the fault; `nil` if the fault is open.
        let fixedIn: DottedVersion?

        static let all = Versions(from: "0", fixedIn: nil)

        func contains(_ version: DottedVersion) -> Bool {
            version >= from && fixedIn.map { version < $0 } ?? true
        }
    }

    /// What a fault does to a scene.
    enum Effect: Sendable {
        /// The scene can't pass, so it's skipped.
        case skipped
        /// The scene sometimes differs, so its differences don't fail the run.
        case mayDiffer
        /// The table names the fault beside a difference, which fails the run.
        case named
    }

    /// The names of the affected scenes; `nil` for every scene.
    let scenes: Set<String>?
    var platforms = ScenePlatform.apples
    var engines: [StoreEngine] = [.storeKit2, .storeKit1]
    var systems = Versions.all
    var xcodes = Versions.all
    var effect = Effect.skipped
    /// Apple's number of the report, the number in Apple's release notes, or the address of a public report.
    let reference: String
    let summary: String

    var description: String { "\(summary) (\(reference))" }

    /// Returns the faults that affect a scene.
    static func faults(of scene: Scene, in environment: SceneEnvironment) -> [SessionFault] {
        all.filter { fault in
            fault.scenes?.contains(scene.name) ?? true && fault.platforms.contains(environment.platform)
                && fault.engines.contains(environment.engine) && fault.systems.contains(environment.system)
                && environment.xcode.map(fault.xcodes.contains) ?? true
        }
    }

    static let all = [
        SessionFault(
            scenes: nil, systems: .init(from: "26.4", fixedIn: "26.6"), xcodes: .init(from: "26.4", fixedIn: "26.6"),
            reference: "FB22237318", summary: "A session ignores its configuration file"),
        SessionFault(
            scenes: nil, platforms: [.simulator], systems: .init(from: "26.5", fixedIn: "26.6"),
            reference: "FB22500243", summary: "A session doesn't connect in the simulator"),
        SessionFault(
            scenes: nil, systems: .init(from: "27", fixedIn: "27.2"), effect: .named, reference: "184255116",
            summary: "A session sometimes shows a dialog although dialogs are disabled"),
        SessionFault(
            scenes: ["failing requests"], platforms: [.simulator, .device], systems: .init(from: "26", fixedIn: nil),
            reference: "developer.apple.com/forums/thread/808030",
            summary: "A simulated error doesn't reach requests for products"),
        SessionFault(
            scenes: ["refund"], systems: .init(from: "15", fixedIn: "27"), reference: "FB22475017",
            summary: "A refunded product can't be bought again"),
        SessionFault(
            scenes: ["upgrade"], systems: .init(from: "15", fixedIn: "27"), reference: "178441109",
            summary: "An upgraded subscription expires at once"),
        SessionFault(
            scenes: ["purchase on another device"], systems: .init(from: "15", fixedIn: "27"), reference: "181842500",
            summary: "A session buys only subscriptions"),
        SessionFault(
            scenes: ["introductory offer"], systems: .init(from: "15", fixedIn: "27.2"), reference: "FB24137836",
            summary: "Clearing the transactions doesn't make the customer eligible again"),
        SessionFault(
            scenes: ["lapse", "win-back offer"], engines: [.storeKit1], systems: .init(from: "15", fixedIn: "27"),
            reference: "102093015", summary: "The receipt isn't renewed after a subscription has expired early"),
        SessionFault(
            scenes: ["win-back offer"], platforms: [.simulator, .device], systems: .init(from: "15", fixedIn: "18"),
            reference: "iOS 18 introduced them", summary: "The system has no win-back offers"),
        SessionFault(
            scenes: ["win-back offer"], platforms: [.mac], systems: .init(from: "14", fixedIn: "15"),
            reference: "macOS 15 introduced them", summary: "The system has no win-back offers"),
        SessionFault(
            scenes: ["storefront change"], systems: .init(from: "27", fixedIn: "27.2"), reference: "184155259",
            summary: "A session's storefront isn't reported as a change"),
        SessionFault(
            scenes: ["interrupted purchase"], platforms: [.simulator], engines: [.storeKit2],
            systems: .init(from: "27", fixedIn: nil), effect: .mayDiffer,
            reference: "developer.apple.com/documentation/storekittest/sktestsession/interruptedpurchasesenabled",
            summary: "The call sometimes throws an unknown error instead of waiting"),
        SessionFault(
            scenes: ["promoted purchase"], effect: .mayDiffer,
            reference: "developer.apple.com/documentation/storekit/testing-promoted-in-app-purchases",
            summary: "The address is documented for other apps, and the app under test opens it itself"),
    ]
}
