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

    mutating func play(_ model: Model, depth: Int) throws(BrokenPromise) {
        let inputs = depth > 0 ? model.inputs : []
        guard !inputs.isEmpty else {
            sequences += 1
            var model = model
            try model.conclude()
            // Looking through a value costs more than everything else here: some stand for all.
            if sequences % 64 == 1 { try promise(remembered(by: model.machine) == 0, "something is kept when everything has ended") }
            return
        }
        for input in inputs {
            var model = model
            path.append(input)
            steps += 1
            try model.take(input)
            try play(model, depth: depth - 1)
            path.removeLast()
        }
    }
}

private let additionalDepth = ProcessInfo.processInfo.environment["EXPLORATION_DEPTH"].flatMap { Int($0) } ?? 0

/// How long an exploration may take: sequences that are longer than usual may take their time.
let explorationBound: any SuiteTrait = additionalDepth > 0 ? .timeLimit(.minutes(60)) : .bounded

/// Plays every sequence of inputs of a length, and says how many there were. When a promise is broken, the shortest sequence that
/// breaks one is told.
///
/// `EXPLORATION_DEPTH=+1` makes all sequences longer by one, `-1` shorter.
func explore<Model: ExploredModel>(
    _ name: String, _ model: Model, depth: Int, sourceLocation: SourceLocation = #_sourceLocation
) {
    let depth = max(1, depth + additionalDepth)
    let start = processorSeconds
    var exploration = Exploration<Model>()
    do throws(BrokenPromise) {
        try exploration.play(model, depth: depth)
        let seconds = String(format: "%.1f", processorSeconds - start)
        print("Explored \(name): \(exploration.sequences) sequences of \(depth) inputs, \(exploration.steps) steps, \(seconds) s")
    } catch {
        let (path, error) = shortestFailure(model, depth: depth) ?? (exploration.path, error)
        let inputs = path.map { "\n    \($0)" }.joined()
        Issue.record("\(name): \(error.message). After:\(inputs)", sourceLocation: sourceLocation)
    }
}

/// The processor time of this thread, which does not depend on what else runs.
private var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func shortestFailure<Model: ExploredModel>(_ model: Model, depth: Int) -> (path: [Model.Input], error: BrokenPromise)? {
    for shorter in 1...max(1, depth) {
        var exploration = Exploration<Model>()
        do throws(BrokenPromise) {
            try exploration.play(model, depth: shorter)
        } catch {
            return (exploration.path, error)
        }
    }
    return nil
}
