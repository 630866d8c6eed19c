#if canImport(StoreKitTest) && !SWIFT_PACKAGE
    import AsyncStoreKit
    import Foundation
    import Testing

    /// Every scene over Apple's StoreKit and over the simulated App Store, with the same configuration file.
    ///
    /// A process has one engine. To run the scenes over StoreKit 1, run the tests with `TEST_RUNNER_SCENE_ENGINE` set
    /// to `storeKit1`.
    @Suite(.serialized) struct HostedSceneTests {
        private let engine: StoreEngine =
            ProcessInfo.processInfo.environment["SCENE_ENGINE"] == "storeKit1" ? .storeKit1 : .storeKit2

        @available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
        @Test(.timeLimit(.minutes(30)))
        func `StoreKit reports what the simulated App Store reports`() async throws {
            let version = ProcessInfo.processInfo.operatingSystemVersion
            let system = SystemVersion(major: version.majorVersion, minor: version.minorVersion)
            let platform = ScenePlatform.current
            var conformance = Conformance(
                engine: engine, system: "\(await ScenePlatform.systemName) \(system), \(platform)")
            for scene in Scene.all {
                let faults = SessionFault.faults(of: scene, on: platform, system)
                let simulated = try await scene.play(
                    in: SimulatedSceneAppStore(contentsOf: try DemoConfiguration.url, engine: engine), over: engine)
                var apple: SceneTranscript?
                if faults.isEmpty {
                    do {
                        apple = try await scene.play(
                            in: SessionSceneAppStore(contentsOf: try DemoConfiguration.url, engine: engine),
                            over: engine)
                    } catch {
                        apple = SceneTranscript(failure: "\(error)")
                    }
                }
                conformance.rows.append(.init(scene: scene, simulated: simulated, apple: apple, faults: faults))
            }
            Attachment.record(conformance.markdown, named: "Conformance.md")
            for row in conformance.rows {
                for difference in row.differences {
                    Issue.record(
                        "\(row.scene), \(difference.step): \(difference.apple), simulated: \(difference.simulated)")
                }
            }
        }
    }
#endif
