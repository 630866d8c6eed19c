import AsyncStoreKit
import Foundation
import Testing

/// The scenes over the simulated App Store alone.
@Suite(.timeLimit(.minutes(1))) struct SimulatedSceneTests {
    private static let engines: [StoreEngine] = [.storeKit2, .storeKit1]

    @Test(arguments: Scene.all, engines)
    func `a scene has the documented events in every step`(scene: Scene, engine: StoreEngine) async throws {
        let appStore = try SimulatedSceneAppStore(contentsOf: DemoConfiguration.url, engine: engine)
        let transcript = try await scene.play(in: appStore, over: engine)
        #expect(transcript.failure == nil)
        for (step, events) in zip(scene.steps, transcript.steps) {
            let expected = step.expected(over: engine).sorted { $0.description < $1.description }
            #expect(events == expected, "\(scene), \(engine): \(step)")
        }
        #expect(transcript.steps.count == scene.steps.count)
    }

    @Test func `two runs of a scene are equal`() async throws {
        let scene = try #require(Scene.all.first { $0.name == "upgrade" })
        var transcripts: Set<SceneTranscript> = []
        for _ in 0..<3 {
            let appStore = try SimulatedSceneAppStore(contentsOf: DemoConfiguration.url, engine: .storeKit2)
            transcripts.insert(try await scene.play(in: appStore, over: .storeKit2))
        }
        #expect(transcripts.count == 1)
    }

    @Test func `a control that the App Store refuses ends the scene with its error`() async throws {
        let scene = Scene("refused", .appStore(.approve("pro")), .app(.countUnfinished, .unfinished(0)))
        let appStore = try SimulatedSceneAppStore(contentsOf: DemoConfiguration.url, engine: .storeKit2)
        let transcript = try await scene.play(in: appStore, over: .storeKit2)
        #expect(transcript.steps == [[]])
        #expect(transcript.failure?.contains("pro") == true)
    }

    @Test func `names of scenes are unique, and faults name existing scenes`() {
        let names = Scene.all.map(\.name)
        #expect(Set(names).count == names.count)
        for fault in SessionFault.all { #expect((fault.scenes ?? []).isSubset(of: names), "\(fault)") }
    }
}

@Suite struct ConformanceTests {
    private let scene = Scene(
        "purchase", .app(.purchase("pro"), .purchased("pro")), .app(.countUnfinished, .unfinished(0)))

    @Test func `equal transcripts have no differences`() {
        let transcript = SceneTranscript(steps: [[.purchased("pro")], [.unfinished(0)]])
        let table = conformance(simulated: transcript, apple: transcript).markdown
        #expect(table.contains("| purchase | equal |"))
        #expect(!table.contains("## Differences"))
    }

    @Test func `the table names the step and both events of a difference`() {
        let table = conformance(
            simulated: SceneTranscript(steps: [[.purchased("pro")], [.unfinished(0)]]),
            apple: SceneTranscript(steps: [[.purchased("pro"), .transaction("pro")]], failure: "the a|b\nerror")
        ).markdown
        #expect(table.contains("| purchase | differs in 2 steps |"))
        #expect(
            table.contains(
                "| purchase | 1. The app: purchases and delivers pro | purchased pro | purchased pro; transaction of pro; error: the a\\|b error |"
            ))
        #expect(table.contains("| 2. The app: asks for unfinished transactions | unfinished: 0 | not played |"))
    }

    @Test(arguments: [
        ("26.2", ScenePlatform.mac, ["FB22475017"]), ("26.4", .device, ["FB22237318", "FB22475017"]),
        ("26.5", .simulator, ["FB22500243", "FB22475017"]), ("26.5", .mac, ["FB22475017"]), ("27.0", .mac, []),
        ("26.10", .simulator, ["FB22475017"]),
    ])
    func `known faults are selected by version and platform`(
        version: String, platform: ScenePlatform, references: [String]
    ) throws {
        let refund = try #require(Scene.all.first { $0.name == "refund" })
        let faults = SessionFault.faults(of: refund, on: platform, SystemVersion(stringLiteral: version))
        #expect(faults.map(\.reference) == references)
    }

    @Test func `a skipped scene names its fault`() {
        var conformance = Conformance(engine: .storeKit2, system: "iOS 26.4")
        let faults = SessionFault.faults(of: scene, on: .simulator, "26.4")
        conformance.rows = [.init(scene: scene, simulated: SceneTranscript(), apple: nil, faults: faults)]
        #expect(conformance.markdown.contains("skipped: A session ignores its configuration file (FB22237318)"))
    }

    private func conformance(simulated: SceneTranscript, apple: SceneTranscript) -> Conformance {
        Conformance(
            engine: .storeKit2, system: "iOS 26.2",
            rows: [.init(scene: scene, simulated: simulated, apple: apple, faults: [])])
    }
}
