import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct RestoreExplorationTests {
    @Test
    func `after any inputs, one restore runs at a time, each call is answered once, and no row is lost or repeated`()
        async
    {
        await explore("RestoreStateMachine", RestoreModel(), depth: 7)
    }
}

/// A restore machine, three calls, and a queue that brings rows at any time.
private struct RestoreModel: ExploredModel {
    enum Input {
        case begin(Int)
        case row
        case end
        case timeOut(Int)
        case cancel(Int)
    }

    private static let ids = (0..<3).map { _ in CallID() }

    private(set) var machine = RestoreStateMachine()
    private var begun = 0
    private var answered: Set<Int> = []
    private var running: Int?
    private var lastRow: UInt64 = 0
    /// The rows of the running restore.
    private var rows: [StoreTransaction] = []

    var inputs: [Input] {
        let calls = 0..<begun
        return (begun < Self.ids.count ? [.begin(begun)] : []) + [.row, .end] + calls.map(Input.timeOut)
            + calls.map(Input.cancel)
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .begin(let call):
            begun += 1
            let starts = machine.restoreRequested(Self.ids[call])
            try promise(starts == (running == nil), "a restore began beside another, or was refused without one")
            if starts { running = call } else { try answer(call) }
        case .row:
            lastRow += 1
            let row = StoreTransaction.entry(lastRow, .restored)
            if running != nil { rows.append(row) }
            machine.rowsReported([row])
        case .end:
            try ended(machine.restoreEnded(), isExpected: running != nil)
        case .timeOut(let call):
            try ended(machine.timeOut(Self.ids[call]), isExpected: running == call)
        case .cancel(let call):
            guard let given = machine.cancel(Self.ids[call]) else {
                try promise(running != call || answered.contains(call), "a canceled call was not answered")
                break
            }
            try promise(running == call, "a call was abandoned that is not running")
            try promise(given == rows, "rows were lost, or given to another call")
            try answer(call)
        }
        let isAwaited = running.map { !answered.contains($0) } ?? false
        let phase: RestoreStateMachine.Phase =
            running.map { isAwaited ? .awaited(Self.ids[$0]) : .abandoned(Self.ids[$0]) } ?? .idle
        try promise(machine.phase == phase, "its phase is \(machine.phase)")
    }

    private mutating func ended(_ ended: RestoreStateMachine.Ended, isExpected: Bool) throws(BrokenPromise) {
        guard let id = ended.phase.id else { return try promise(!isExpected, "a running restore didn't end") }
        guard isExpected, let call = running, Self.ids[call] == id else {
            throw BrokenPromise(message: "another restore ended")
        }
        try promise(ended.rows == rows, "rows were lost, or are another restore's")
        if case .awaited = ended.phase {
            try answer(call)
        } else {
            try promise(answered.contains(call), "a waiting call wasn't answered")
        }
        running = nil
        rows = []
    }

    private mutating func answer(_ call: Int) throws(BrokenPromise) {
        try promise(answered.insert(call).inserted, "a call was answered twice")
    }

    mutating func conclude() throws(BrokenPromise) {
        if running != nil { try take(.end) }
        try promise(answered.count == begun, "a call was never answered")
        for call in 0..<begun { try take(.cancel(call)) }
        try promise(machine.restoreEnded().phase == .idle, "a restore is still running")
    }
}
