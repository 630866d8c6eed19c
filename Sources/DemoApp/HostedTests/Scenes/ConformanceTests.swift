import AsyncStoreKit
import Testing

@Suite struct ConformanceTests {
    private let scene = Scene(
        "purchase", .app(.purchase("pro"), .purchased("pro")), .app(.countUnfinished, .unfinished(0)))
    private let equal = SceneTranscript(steps: [[.purchased("pro")], [.unfinished(0)]])

    @Test func `a transcript with the expected events has no differences`() {
        let conformance = conformance(equal)
        #expect(conformance.markdown.contains("| purchase | equal |"))
        #expect(!conformance.markdown.contains("## Differences"))
        #expect(conformance.markdown.hasSuffix("\nplayed 1 of 1\n"))
        #expect(conformance.failures.isEmpty)
    }

    @Test func `the table names the step and both events of a difference`() {
        let conformance = conformance(
            SceneTranscript(steps: [[.purchased("pro"), .transaction("pro")]], failure: "the a|b\nerror"))
        #expect(conformance.markdown.contains("| purchase | differs in 2 steps |"))
        #expect(
            conformance.markdown.contains(
                "| purchased pro | purchased pro; transaction of pro; error: the a\\|b error |"))
        #expect(conformance.markdown.contains("| purchase | 1. The app: purchases and delivers pro |"))
        #expect(conformance.markdown.contains("| unfinished: 0 | not played |"))
        #expect(conformance.failures.count == 2)
    }

    @Test func `a scene that couldn't begin shows its error`() {
        let conformance = conformance(SceneTranscript(failure: "no session"))
        #expect(conformance.failures.first?.contains("error: no session; expected: purchased pro") == true)
    }

    @Test(arguments: [("promoted purchase", "15.0", 0), ("restore", "27.0", 3)] as [(String, DottedVersion, Int)])
    func `the table names the fault beside a difference, which only a fault of the scene excuses`(
        name: String, system: DottedVersion, failures: Int
    ) throws {
        let scene = try #require(Scene.all.first { $0.name == name })
        var conformance = Conformance(environment: environment(.mac, system))
        let faults = SessionFault.faults(of: scene, in: conformance.environment)
        conformance.rows = [.init(scene: scene, transcript: SceneTranscript(steps: [[]]), faults: faults)]
        #expect(conformance.failures.count == failures)
        let differs = "differs in \(scene.steps.count) step\(scene.steps.count == 1 ? "" : "s")"
        #expect(conformance.markdown.contains("| \(name) | \(differs), perhaps because of: \(faults[0])"))
    }

    private static let systems: [(DottedVersion, DottedVersion, ScenePlatform, [String])] = [
        ("26.2", "26.2", .mac, ["FB22475017"]), ("26.4", "26.4", .device, ["FB22237318", "FB22475017"]),
        ("26.5", "26.5", .simulator, ["FB22237318", "FB22500243", "FB22475017"]),
        // The fault isn't in the system alone: it depends on the Xcode that made the session's configuration.
        ("26.4", "26.6", .device, ["FB22475017"]), ("26.4", "26.3", .device, ["FB22475017"]),
        ("26.10", "26.6", .simulator, ["FB22475017"]), ("27.0", "27.0", .mac, ["184255116"]),
        ("27.2", "27.2", .mac, []), ("6.1", "26.4", .simulatedAppStore, []),
    ]

    @Test(arguments: systems)
    func `known faults are selected by system, Xcode and platform`(
        system: DottedVersion, xcode: DottedVersion, platform: ScenePlatform, references: [String]
    ) throws {
        let refund = try #require(Scene.all.first { $0.name == "refund" })
        let faults = SessionFault.faults(of: refund, in: environment(platform, system, xcode: xcode))
        #expect(faults.map(\.reference) == references)
    }

    private static let fixes: [(String, StoreEngine, DottedVersion, [String])] = [
        ("lapse", .storeKit1, "26.2", ["102093015"]), ("lapse", .storeKit2, "26.2", []),
        ("lapse", .storeKit1, "27.2", []), ("storefront change", .storeKit2, "27.1", ["184255116", "184155259"]),
        ("storefront change", .storeKit2, "27.2", []), ("introductory offer", .storeKit2, "27.2", []),
        ("introductory offer", .storeKit2, "27.1", ["184255116", "FB24137836"]),
    ]

    @Test(arguments: fixes)
    func `known faults are selected by scene and engine, until they're fixed`(
        name: String, engine: StoreEngine, system: DottedVersion, references: [String]
    ) throws {
        let scene = try #require(Scene.all.first { $0.name == name })
        let faults = SessionFault.faults(of: scene, in: environment(.device, system, engine: engine))
        #expect(faults.map(\.reference) == references)
    }

    @Test func `a run that played no scene fails, and says why`() {
        var conformance = Conformance(environment: environment(.simulator, "26.5"))
        conformance.rows = Scene.all.map { scene in
            .init(
                scene: scene, transcript: nil, faults: SessionFault.faults(of: scene, in: conformance.environment))
        }
        let count = Scene.all.count
        #expect(conformance.failures.count == 1)
        #expect(conformance.failures.first?.hasPrefix("No scene was played. played 0 of \(count)") == true)
        #expect(conformance.failures.first?.contains("A session doesn't connect in the simulator (FB22500243)") == true)
    }

    @Test func `the last line counts the skipped scenes, with each reason once`() {
        var conformance = Conformance(environment: environment(.mac, "26.2"))
        let fault = SessionFault(scenes: nil, reference: "1", summary: "A fault")
        conformance.rows = [
            .init(scene: scene, transcript: equal, faults: []), .init(scene: scene, transcript: nil, faults: [fault]),
            .init(scene: scene, transcript: nil, faults: [fault]),
        ]
        #expect(conformance.markdown.hasSuffix("\nplayed 1 of 3, skipped 2 (A fault (1))\n"))
        #expect(conformance.failures.isEmpty)
    }

    @Test func `names of scenes are unique, and faults name existing scenes`() {
        let names = Scene.all.map(\.name)
        #expect(Set(names).count == names.count)
        for fault in SessionFault.all { #expect((fault.scenes ?? []).isSubset(of: names), "\(fault)") }
    }

    @Test func `the version of Xcode is read from the key of a bundle`() {
        #expect(DottedVersion(dtXcode: "2641") == "26.4")
        #expect(DottedVersion(dtXcode: "1640") == "16.4")
        #expect(DottedVersion(dtXcode: "none") == nil)
    }

    private func environment(
        _ platform: ScenePlatform, _ system: DottedVersion, xcode: DottedVersion? = nil,
        engine: StoreEngine = .storeKit2
    ) -> SceneEnvironment {
        SceneEnvironment(engine: engine, platform: platform, systemName: "iOS", system: system, xcode: xcode)
    }

    private func conformance(_ transcript: SceneTranscript) -> Conformance {
        Conformance(
            environment: environment(.mac, "26.2"), rows: [.init(scene: scene, transcript: transcript, faults: [])])
    }
}
