import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct RequestTableTests {
    /// The table, its calls, and its requests, which are numbered in the order of their start.
    ///
    /// | step | what it does |
    /// |---|---|
    /// | `keepsNothing`, `lifetime 60` | another table, at the beginning of a script |
    /// | `ask ada a b [ignoringCache] [at 100]` | a call for two keys |
    /// | `missing a [ignoringCache] [at 100]` | the keys that a call would request, without the call |
    /// | `succeed 1 a=1 [at 100]`, `fail 1` | ends a request |
    /// | `cancel ada` | ends a call |
    private struct Requests {
        typealias Table = RequestTable<String, Int>

        var table = Table(keepsAnswers: true)
        var calls = CallNames()
        var requests: [CallID] = []
        private let answers = Locked<[(call: CallID, response: Table.Response)]>([])
        private let abandoned = Locked<[CallID]>([])

        mutating func perform(_ step: Script.Step) -> String? {
            switch step.verb {
            case "keepsNothing": table = Table(keepsAnswers: false)
            case "lifetime": table = Table(keepsAnswers: true, lifetime: Double(step[0]) ?? 0)
            case "invalidate": table.invalidate()
            case "markStale": table.markStale()
            case "ask": return ask(step)
            case "missing": return missing(step)
            case "succeed": return succeed(step)
            case "fail":
                let answers = answers(after: table.end(request(step[0]), with: .failure(StoreError(.networkError, ""))))
                return Script.list(calls.names(of: answers.map(\.call)))
            case "cancel":
                let id = calls.id(step[0])
                let answers = answers(after: table.cancel(id, StoreError(.taskCancelled, "")))
                if answers.contains(where: { $0.call != id }) { return "answers another call" }
                return abandoned.withLock { $0.popLast() }.map { "abandons \(number(of: $0))" }
            case "value": return table[step[0]].map { "\($0)" } ?? "none"
            case "remembered": return "\(remembered(by: table))"
            default: return step.unknown
            }
            return nil
        }

        private mutating func ask(_ step: Script.Step) -> String {
            let (values, started) = register(calls.id(step[0]), keys(step, after: 1), step)
            if let values { return "has \(describe(values))" }
            guard let (request, missing) = started else { return "waits" }
            requests.append(request)
            return "request \(requests.count) of \(Script.list(missing.sorted()))"
        }

        private func missing(_ step: Script.Step) -> String {
            var copy = self
            guard let (_, missing) = copy.register(CallID(), keys(step, after: 0), step).started else { return "none" }
            return Script.list(missing.sorted())
        }

        private mutating func register(
            _ id: CallID, _ keys: Set<String>, _ step: Script.Step
        ) -> (values: [String: Int]?, started: (CallID, Set<String>)?) {
            var started: (CallID, Set<String>)?
            let values = table.register(id, keys, ignoringCache: step.has("ignoringCache"), now: now(step)) {
                [answers] response in
                answers.withLock { $0.append((id, response)) }
            } startTimer: {
                {}
            } load: { [abandoned] request, missing in
                started = (request, missing)
                return { abandoned.withLock { $0.append(request) } }
            }
            return (values, started)
        }

        private func answers(after actions: [Table.Action]) -> [(call: CallID, response: Table.Response)] {
            actions.forEach { $0() }
            return answers.withLock { answers in
                defer { answers = [] }
                return answers
            }
        }

        private mutating func succeed(_ step: Script.Step) -> String {
            var values = [String: Int]()
            for pair in step.arguments where pair.contains("=") {
                let parts = pair.split(separator: "=")
                values[String(parts[0])] = Int(parts[1])
            }
            let answers = answers(after: table.end(request(step[0]), with: .success(values), now: now(step)))
            return Script.list(
                answers.map { id, answer in
                    "\(calls.name(of: id)): \((try? answer.get()).map { describe($0) } ?? "an error")"
                })
        }

        private func keys(_ step: Script.Step, after count: Int) -> Set<String> {
            Set(step.arguments.dropFirst(count).prefix { $0 != "ignoringCache" && $0 != "at" })
        }

        private func now(_ step: Script.Step) -> Date { step.number("at").map { .seconds($0) } ?? .distantPast }

        private func request(_ number: String) -> CallID { requests[(Int(number) ?? 0) - 1] }

        private func number(of request: CallID) -> Int { (requests.firstIndex(of: request) ?? -1) + 1 }

        private func describe(_ values: [String: Int]) -> String {
            let pairs = values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
            return pairs.isEmpty ? "nothing" : pairs.joined(separator: " ")
        }
    }

    static let scripts = [
        Script(
            "missing values are requested, and answers are cached",
            """
            ask ada a b → request 1 of a + b, value a → none, succeed 1 a=1 b=2 → ada: a=1 b=2
            value a → 1, ask bob a b → has a=1 b=2
            """),
        Script("a call without keys is answered at once", "ask ada → has nothing"),
        Script(
            "a table that keeps no answers requests the keys every time",
            """
            keepsNothing, ask ada a → request 1 of a, succeed 1 a=1 → ada: a=1, value a → none
            ask bob a → request 2 of a
            """),
        Script(
            "a key without an answer is unknown, and requested again",
            """
            ask ada a unknown → request 1 of a + unknown, succeed 1 a=1 → ada: a=1, value unknown → none
            ask bob a unknown → request 2 of unknown
            """),
        Script(
            "cached keys aren't requested again with missing ones",
            """
            ask ada a → request 1 of a, succeed 1 a=1 → ada: a=1
            ask bob a b → request 2 of b, succeed 2 b=2 → bob: a=1 b=2
            """),
        Script(
            "answers to requests from after an invalidation are cached, even after a second one",
            "invalidate, invalidate, ask ada a → request 1 of a, succeed 1 a=1 → ada: a=1, value a → 1"),
        // Memory. At the end, the one answer is kept.
        Script(
            "ended calls leave only their answers in memory",
            """
            ask ada a → request 1 of a, ask bob a b → request 2 of a + b, fail 1 → ada, cancel bob → abandons 2
            ask eve c → request 3 of c, cancel eve → abandons 3, succeed 3 c=3 → none, remembered → 0
            ask dan k → request 4 of k, invalidate, succeed 4 k=1 → dan: k=1, remembered → 0
            ask eve k → request 5 of k, succeed 5 k=1 → eve: k=1, remembered → 1
            """),
        // The lifetime of answers. The value of an old answer is still cached.
        Script(
            "an answer is recent from its arrival until its lifetime ends or the clock is set back",
            """
            lifetime 60, ask ada a at 0 → request 1 of a, succeed 1 a=1 at 100 → ada: a=1
            missing a at 100 → none, missing a at 159 → none, missing a at 160 → a, missing a at 99 → a, value a → 1
            """),
        Script(
            "with a lifetime of zero no answer is recent",
            "lifetime 0, ask ada a at 0 → request 1 of a, succeed 1 a=1 at 100 → ada: a=1, missing a at 100 → a"),
        Script(
            "with a lifetime of NaN no answer is recent",
            "lifetime nan, ask ada a at 0 → request 1 of a, succeed 1 a=1 at 100 → ada: a=1, missing a at 100 → a"),
        Script(
            "a stale value is cached, and not recent",
            """
            ask ada a b at 0 → request 1 of a + b, succeed 1 a=1 b=1 at 100 → ada: a=1 b=1, markStale
            missing a b at 100 → a + b, value a → 1, value b → 1
            """),
        // A key without an answer is no longer cached.
        Script(
            "a call that ignores the cache shares running requests",
            """
            ask ada a at 0 → request 1 of a, succeed 1 a=1 at 100 → ada: a=1
            ask bob a ignoringCache at 101 → request 2 of a, missing a ignoringCache at 101 → none
            succeed 2 at 102 → bob: nothing, value a → none
            """),
    ]

    @Test(arguments: scripts) func `calls share requests, and have their answers`(script: Script) {
        var requests = Requests()
        script.play { requests.perform($0) }
    }
}
