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
