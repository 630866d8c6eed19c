import Foundation
package import Testing

/// A machine in a world so small that every sequence of events can be tried.
package protocol ExploredModel {
    associatedtype Input
    associatedtype Machine

    /// The inputs that are possible now.
    var inputs: [Input] { get }

    /// Performs an input, and checks the promises.
    mutating func take(_ input: Input) throws(BrokenPromise)

    /// Ends everything that is running, and checks the promises that hold at the end.
    mutating func conclude() throws(BrokenPromise)

    /// The machine, which should keep nothing when everything has ended.
    var machine: Machine { get }
}

// A model that has nothing to end, and whose values may be kept.
extension ExploredModel {
    package mutating func conclude() {}
    package var machine: Void { () }
}

package struct BrokenPromise: Error {
    package let message: String

    package init(message: String) {
        self.message = message
    }
}

/// Throws if a promise is broken.
package func promise(_ holds: Bool, _ message: @autoclosure () -> String) throws(BrokenPromise) {
    if !holds { throw BrokenPromise(message: message()) }
}

/// Runs every sequence of inputs up to a length, depth first.
private struct Exploration<Model: ExploredModel> {
    private(set) var sequences = 0
    private(set) var steps = 0
    /// The inputs that led to the current state.
    private(set) var path: [Model.Input] = []

    /// - Parameter pausing: The number of inputs after which other tests can run: a test that computes for seconds
    ///   would block a thread.
    nonisolated(nonsending) mutating func play(_ model: Model, depth: Int, pausing: Int) async throws(BrokenPromise) {
        guard pausing > 0, depth > 0, !model.inputs.isEmpty else {
            await Task.yield()
            return try play(model, depth: depth)
        }
        for input in model.inputs {
            let next = try step(model, input)
            try await play(next, depth: depth - 1, pausing: pausing - 1)
            path.removeLast()
        }
    }

    private mutating func play(_ model: Model, depth: Int) throws(BrokenPromise) {
        let inputs = depth > 0 ? model.inputs : []
        guard !inputs.isEmpty else { return try conclude(model) }
        for input in inputs {
            let next = try step(model, input)
            try play(next, depth: depth - 1)
            path.removeLast()
        }
    }

    private mutating func step(_ model: Model, _ input: Model.Input) throws(BrokenPromise) -> Model {
        var next = model
        path.append(input)
        steps += 1
        try next.take(input)
        return next
    }

    private mutating func conclude(_ model: Model) throws(BrokenPromise) {
        sequences += 1
        var model = model
        try model.conclude()
        // Comparing a whole value is the most expensive step here, so it's done for some sequences only.
        guard sequences % 64 == 1 else { return }
        try promise(remembered(by: model.machine) == 0, "something is kept when everything has ended")
    }
}

private let additionalDepth = ProcessInfo.processInfo.environment["EXPLORATION_DEPTH"].flatMap { Int($0) } ?? 0

/// Runs every sequence of inputs of a length, in the caller's isolation. If a promise is broken, the shortest sequence
/// that breaks one is reported.
///
/// `EXPLORATION_DEPTH=+1` makes all sequences longer by one, and `-1` shorter. Longer ones also need a larger
/// `TEST_TIME_LIMIT`.
package nonisolated(nonsending) func explore<Model: ExploredModel>(
    _ name: String, _ model: Model, depth: Int, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let depth = max(1, depth + additionalDepth)
    var exploration = Exploration<Model>()
    do throws(BrokenPromise) {
        try await exploration.play(model, depth: depth, pausing: 3)
        #expect(exploration.sequences > 1 << depth, "a model without choices", sourceLocation: sourceLocation)
        print("Explored \(name): \(exploration.sequences) sequences of \(depth) inputs, \(exploration.steps) steps")
    } catch {
        let (path, error) = await shortestFailure(model, depth: depth) ?? (exploration.path, error)
        let inputs = path.map { "\n    \($0)" }.joined()
        Issue.record("\(name): \(error.message). After:\(inputs)", sourceLocation: sourceLocation)
    }
}

private nonisolated(nonsending) func shortestFailure<Model: ExploredModel>(_ model: Model, depth: Int) async -> (
    path: [Model.Input], error: BrokenPromise
)? {
    for shorter in 1...max(1, depth) {
        var exploration = Exploration<Model>()
        do throws(BrokenPromise) {
            try await exploration.play(model, depth: shorter, pausing: 3)
        } catch {
            return (exploration.path, error)
        }
    }
    return nil
}
