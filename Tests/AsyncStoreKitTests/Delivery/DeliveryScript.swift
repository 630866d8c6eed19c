import Foundation
import TestHarness

@testable import AsyncStoreKit

/// Plays scripts with the machine of deliveries. A delivery is named for its transactions, such as `1` or `8+9`, and a
/// pause ends after 10 seconds, or 5 when the app returns.
///
/// | step | what it does |
/// |---|---|
/// | `add 1 2+3 4-7 [call] [restore] [preexisting]` | deliveries arrive, also for calls |
/// | `start` | all deliveries start that may |
/// | `end 1` | a delivery ends |
/// | `fail 1` | a delivery ends, because the server fails |
/// | `pause 1` | a delivery is to be tried again after a pause of its own |
/// | `decided`, `replaced` | the server works, or there is another delivery |
/// | `returned`, `resume`, `endPauses` | the app returns, pauses have ended, or the customer ends them |
/// | `withdraw 1`, `abandon 1 [restore]` | a transaction leaves, or a call |
struct DeliveryScript {
    private typealias Job = DeliveryStateMachine.Job

    private let pause = DeliveryPause(begin: .seconds(0), end: .seconds(10), endOnReturn: .seconds(5))
    private var machine = DeliveryStateMachine()
    private var jobs = [String: Job]()
    private var calls = CallNames()

    mutating func perform(_ step: Script.Step) -> String? {
        let now = Date.seconds(step.number("at") ?? 0)
        switch step.verb {
        case "start":
            var started: [String] = []
            while let job = machine.next(now: now) { started.append(describe(job)) }
            return Script.list(started)
        case "end": return machine.deliveryEnded(job(step[0]).id).map(describe) ?? "none"
        case "next": return machine.nextDate(at: now).map { Script.text($0.timeIntervalSince(.seconds(0))) } ?? "none"
        case "pending": return "\(machine.pendingCount)"
        case "work": return Script.answer(machine.hasWork)
        case "health": return machine.health == DeliveryHealth() ? "good" : "\(machine.health.failures) failures"
        case "add": for name in names(step) { machine.enqueue(add(name, step), now: now) }
        case "fail":
            guard let ended = machine.deliveryEnded(job(step[0]).id) else { return step.unknown }
            _ = machine.retryWithServer(ended, isRequested: false, now: now) { [pause] _ in pause }
        case "pause": machine.retry(job(step[0]), after: pause)
        case "decided": machine.serverDecided()
        case "replaced": machine.deliveryReplaced()
        case "returned": machine.returned(now: now)
        case "resume": machine.endPauses(now: now)
        case "endPauses": machine.endPauses()
        case "withdraw": for name in names(step) { machine.withdraw(.entry(UInt64(name) ?? 0)) }
        case "abandon":
            let call = calls.id(step[0])
            machine.abandon(step.has("restore") ? .restore(call) : .purchase(call))
        default: return step.unknown
        }
        return nil
    }

    private func names(_ step: Script.Step) -> [String] {
        step.arguments.prefix { $0.first?.isNumber == true }.flatMap { argument -> [String] in
            let ends = argument.split(separator: "-").compactMap { Int($0) }
            return ends.count == 2 ? (ends[0]...ends[1]).map { "\($0)" } : [argument]
        }
    }

    private mutating func add(_ name: String, _ step: Script.Step) -> Job {
        var job = job(name)
        if step.has("call") { job.origin = .purchase(calls.id(name)) }
        if step.has("restore") { job.origin = .restore(calls.id(name)) }
        job.isPreexisting = step.has("preexisting")
        jobs[name] = job
        return job
    }

    /// Returns the delivery with this name, which is a new one if the name hasn't been used.
    private mutating func job(_ name: String) -> Job {
        if let job = jobs[name] { return job }
        let tokens = name.split(separator: "+").map { TransactionToken.entry(UInt64($0) ?? 0) }
        let job = Job(id: CallID(), tokens: tokens, cause: .unsolicited, origin: .nobody)
        jobs[name] = job
        return job
    }

    private func describe(_ job: Job) -> String {
        let name = jobs.first { $0.value.id == job.id }?.key ?? ""
        var words = [job.tokens.map { "\($0.serial)" }.joined(separator: "+")]
        switch job.origin {
        case .nobody: break
        case .purchase(let call): words.append(calls.name(of: call) == name ? "call" : "another call")
        case .restore(let call): words.append(calls.name(of: call) == name ? "restore" : "another restore")
        }
        if job.isPreexisting { words.append("preexisting") }
        if job.attempt > 0 { words.append("attempt \(job.attempt)") }
        if job.pause != nil { words.append("paused") }
        return words.joined(separator: " ")
    }
}
