#if canImport(StoreKitTest) && !(SWIFT_PACKAGE && canImport(Darwin))
    import AsyncStoreKit
    import Foundation
    import Testing

    /// Every scene over a session of StoreKit Test: over Apple's on a Mac, and over this package's on Linux.
    ///
    /// A process has one engine and one App Store. To run the scenes over StoreKit 1 on a Mac, run the tests with
    /// `TEST_RUNNER_SCENE_ENGINE` set to `storeKit1`. On Linux, the tests run in processes of their own, with
    /// `SCENE_ENGINE`.
    @Suite(.serialized, .enabled(if: ScenePlatform.isAlone)) struct HostedSceneTests {
        private let engine: StoreEngine = SceneEnvironment.wantedEngine == "storeKit1" ? .storeKit1 : .storeKit2

        @available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
        @Test(.timeLimit(.minutes(30)))
        func `every scene has the documented events in every step`() async throws {
            let version = ProcessInfo.processInfo.operatingSystemVersion
            var conformance = Conformance(
                environment: SceneEnvironment(
                    engine: engine, platform: .current, systemName: await ScenePlatform.systemName,
                    system: DottedVersion(major: version.majorVersion, minor: version.minorVersion),
                    xcode: DemoConfiguration.xcode))
            for scene in Scene.all {
                let faults = SessionFault.faults(of: scene, in: conformance.environment)
                var transcript: SceneTranscript?
                if !faults.contains(where: { $0.effect == .skipped }) {
                    do {
                        transcript = try await scene.play(
                            in: SessionSceneAppStore(contentsOf: DemoConfiguration.url, engine: engine),
                            over: engine)
                    } catch {
                        transcript = SceneTranscript(failure: "\(error)")
                    }
                }
                conformance.rows.append(.init(scene: scene, transcript: transcript, faults: faults))
            }
            Attachment.record(conformance.markdown, named: "Conformance.md")
            for failure in conformance.failures { Issue.record("\(failure)") }
        }

        @available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
        @Test(.timeLimit(.minutes(5)))
        func `a control that the App Store refuses ends the scene with its error`() async throws {
            let scene = Scene("refused", .appStore(.approve("pro")), .app(.countUnfinished, .unfinished(0)))
            let appStore = try SessionSceneAppStore(contentsOf: DemoConfiguration.url, engine: engine)
            let transcript = try await scene.play(in: appStore, over: engine)
            #expect(transcript.steps == [[]])
            #expect(transcript.failure?.contains("pro") == true)
        }
    }
#endif
