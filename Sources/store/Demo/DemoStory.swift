import AppStoreSimulator
import AsyncStoreKit

/// The scenes of the demo, in order.
struct DemoStory {
    let catalog: SimulatedCatalog
    let engine: StoreEngine
    let console: Console

    /// Plays all scenes. A scene that fails doesn't end the demo.
    func play() async -> ExitCode {
        console.line(.init("A photo app and its customers, over \(engine.name)", .heading))
        console.line(.init("The App Store is simulated. No one pays.", .quiet))
        let stage = DemoStage(catalog: catalog, engine: engine, console: console)
        let scenes = DemoScene.all(for: engine)
        var failed = 0
        for (index, scene) in scenes.enumerated() {
            console.line()
            console.line(.init("\(index + 1). \(scene.title)", .heading))
            do {
                try await scene.play(stage)
            } catch {
                console.line(.init("   failed: \(error)", .bad))
                failed += 1
            }
        }
        console.line()
        let count = scenes.count
        let result = failed == 0 ? "All \(count) scenes succeeded." : "\(failed) of \(count) scenes failed."
        console.line(.init(result, failed == 0 ? .good : .bad))
        return failed == 0 ? .success : .failure
    }
}

struct DemoScene: Sendable {
    let title: String
    let play: @concurrent @Sendable (DemoStage) async throws -> Void

    /// Returns the scenes that an engine supports, in order.
    static func all(for engine: StoreEngine) -> [DemoScene] {
        let start = [products, delivered, canceled, askToBuy, interrupted, renewal]
        let end = [restores, crash, lapse, refund, promoted, server]
        return start + (engine == .storeKit1 ? end : [gracePeriod] + end + [commitment])
    }

    /// A purchase that ended in an unexpected way.
    struct Unexpected: Error, CustomStringConvertible {
        let outcome: PurchaseOutcome

        var description: String {
            switch outcome {
            case .success(let purchase): "the purchase of \"\(purchase.productID)\" succeeded."
            case .pending(let pending): "the purchase of \"\(pending.productID)\" is pending."
            case .userCancelled: "the purchase was canceled."
            }
        }
    }
}
