import AsyncStoreKitUI
import TestHarness
import Testing

@Suite(.bounded) struct ViewActivationTests {
    private typealias Event = ViewActivation.Event

    /// Events, and the positions of those that read the store.
    struct History: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [ViewActivation.Event]
        let reads: [Int]
    }

    private static let (left, used): (Event, Event) = (.application(isActive: false), .application(isActive: true))
    private static let (inactive, active): (Event, Event) = (.scene(isActive: false), .scene(isActive: true))

    static let histories: [History] = [
        History(
            testDescription: "launch, background and return in an app of SwiftUI",
            events: [.appeared, inactive, used, active, left, inactive, active, used], reads: [0, 6]),
        History(
            testDescription: "a hosting controller, whose phase is never active",
            events: [.appeared, inactive, used, left, used], reads: [0, 4]),
        History(
            testDescription: "one of several windows goes to the background and comes back",
            events: [.appeared, active, inactive, active], reads: [0, 3]),
        History(
            testDescription: "a view that appears again, and another window that is used",
            events: [.appeared, .windowUsed, .appeared], reads: [0]),
        History(testDescription: "a window that is used first", events: [.windowUsed, .appeared], reads: [1]),
    ]

    @Test(arguments: histories) func `one activation of the app reads once`(history: History) {
        var activation = ViewActivation()
        var reads: [Int] = []
        for (index, event) in history.events.enumerated() where activation.handle(event) == .readAgain {
            reads.append(index)
        }
        expectEqual(reads, history.reads)
    }

    /// All sequences of six events.
    @Test func `every activation reads once, and every sign of use moves purchases to the window`() {
        let events: [Event] = [
            .appeared, .scene(isActive: true), .scene(isActive: false), .application(isActive: true),
            .application(isActive: false), .windowUsed,
        ]
        var sequences: [[Event]] = [[]]
        for _ in 1...6 { sequences = sequences.flatMap { sequence in events.map { sequence + [$0] } } }
        for sequence in sequences {
            var activation = ViewActivation()
            // Whether something was read since the app, or the scene while it was active, was left.
            var (hasRead, wasSceneActive) = (false, false)
            for event in sequence {
                let response = activation.handle(event)
                switch event {
                case .application(isActive: false): hasRead = false
                case .scene(isActive: false): if wasSceneActive { hasRead = false }
                case .windowUsed: break
                case .appeared, .application(isActive: true), .scene(isActive: true):
                    #expect((response == .readAgain) == !hasRead, "\(sequence)")
                    hasRead = true
                }
                if case .scene(let isActive) = event { wasSceneActive = isActive }
                let isLeft = event == .application(isActive: false) || event == .scene(isActive: false)
                #expect((response == .nothing) == isLeft, "\(sequence)")
            }
        }
    }
}
