import Foundation
import TestHarness
import Testing

/// A machine in a world so small that everything that can happen in it is tried.
protocol ExploredModel {
    associatedtype Input
    associatedtype Machine

    /// Everything that can happen now.
    var inputs: [Input] { get }

    /// Lets something happen, and checks what was promised.
    mutating func take(_ input: Input) throws(BrokenPromise)

    /// Brings whatever is under way to its end, and checks what must hold then.
    mutating func conclude() throws(BrokenPromise)

    /// The machine, in which nothing is to be kept when everything has ended.
    var machine: Machine { get }
}

struct BrokenPromise: Error {
    let message: String
}

/// Throws when something that was promised does not hold.
func promise(_ holds: Bool, _ message: @autoclosure () -> String) throws(BrokenPromise) {
    if !holds { throw BrokenPromise(message: message()) }
}

/// Plays every sequence of inputs up to a length, depth first.
struct Exploration<Model: ExploredModel> {
    private(set) var sequences = 0
    private(set) var steps = 0
    /// The inputs that led to where the model is.
    private(set) var path: [Model.Input] = []

    /// - Parameter pausing: For how many inputs other tests have their turn after each: to compute for seconds on end
    ///   would keep a thread from all of them.
    mutating func play(_ model: Model, depth: Int, pausing: Int) async throws(BrokenPromise) {
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
        // Looking through a value costs more than everything else here: some stand for all.
        guard sequences % 64 == 1 else { return }
        try promise(remembered(by: model.machine) == 0, "something is kept when everything has ended")
    }
}

private let additionalDepth = ProcessInfo.processInfo.environment["EXPLORATION_DEPTH"].flatMap { Int($0) } ?? 0

/// Plays every sequence of inputs of a length, and says how many there were. When a promise is broken, the shortest
/// sequence that breaks one is told.
///
/// `EXPLORATION_DEPTH=+1` makes all sequences longer by one, `-1` shorter; longer ones want more of `TEST_TIME_LIMIT`
/// too.
func explore<Model: ExploredModel>(
    _ name: String, _ model: Model, depth: Int, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let depth = max(1, depth + additionalDepth)
    var exploration = Exploration<Model>()
    do throws(BrokenPromise) {
        try await exploration.play(model, depth: depth, pausing: 3)
        print("Explored \(name): \(exploration.sequences) sequences of \(depth) inputs, \(exploration.steps) steps")
    } catch {
        let (path, error) = await shortestFailure(model, depth: depth) ?? (exploration.path, error)
        let inputs = path.map { "\n    \($0)" }.joined()
        Issue.record("\(name): \(error.message). After:\(inputs)", sourceLocation: sourceLocation)
    }
}

private func shortestFailure<Model: ExploredModel>(_ model: Model, depth: Int) async -> (path: [Model.Input], error: BrokenPromise)? {
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
