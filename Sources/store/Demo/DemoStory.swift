import AppStoreSimulator
import AsyncStoreKit

/// The acts, one after the other, over one catalog.
struct DemoStory {
    let catalog: SimulatedCatalog
    let fileName: String
    let engine: StoreEngine
    let plans: MonthlyPlans
    let console: Console

    func play() async -> ExitCode {
        let count = catalog.products.count
        console.line(.init("A story over \(fileName)", .heading), .init(": \(count) \(count == 1 ? "product" : "products")"))
        console.line(.init("The App Store is simulated: nothing is sold, nobody pays. The app is over \(engine.words).", .quiet))
        let stage = DemoStage(catalog: catalog, engine: engine, console: console)
        var (played, skipped, failed) = (0, 0, 0)
        for (index, act) in (DemoAct.all + (plans.isOn ? [DemoAct.commitment] : [])).enumerated() {
            console.line()
            console.line(.init("\(index + 1). \(act.title)", .heading))
            do {
                try await act.play(stage)
                played += 1
            } catch let skip as DemoAct.Skipped {
                console.line(.init("   skipped: \(skip.reason)", .quiet))
                skipped += 1
            } catch {
                console.line(.init("   went wrong: \(error)", .bad))
                failed += 1
            }
        }
        console.line()
        let failures = failed == 0 ? "" : ", \(failed) went wrong"
        console.line(.init("The end: \(played) acts played, \(skipped) skipped\(failures).", failed == 0 ? .good : .bad))
        return failed == 0 ? .success : .failure
    }
}

/// One act of the story.
struct DemoAct: Sendable {
    /// Why an act cannot be played over a file.
    struct Skipped: Error, Hashable {
        let reason: String
    }

    let title: String
    let play: @Sendable (DemoStage) async throws -> Void

    /// The story, in order.
    static let all: [DemoAct] = [
        products, delivered, cancelled, askToBuy, interrupted, restores, crash, download, promoted, server,
    ]
}

extension StoreEngine {
    /// The engine over which a story is played, in words.
    fileprivate var words: String {
        switch self {
        case .storeKit2, .automatic: "StoreKit 2"
        case .storeKit1: "StoreKit 1"
        }
    }
}
