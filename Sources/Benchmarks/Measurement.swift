import Foundation

/// The seconds of several runs of an operation, without their preparation.
struct Measurement {
    private let seconds: [Double]
    /// The processor time of the runs, on all cores.
    private let processorSeconds: [Double]

    init<Prepared>(runs: Int, prepare: () async -> Prepared, _ body: (Prepared) async -> Void) async {
        var seconds: [Double] = []
        var processorSeconds: [Double] = []
        for _ in 0..<runs {
            let prepared = await prepare()
            let (start, processorStart) = (DispatchTime.now().uptimeNanoseconds, Machine.processorSeconds)
            await body(prepared)
            processorSeconds.append(Machine.processorSeconds - processorStart)
            seconds.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
        }
        self.seconds = seconds.sorted()
        self.processorSeconds = processorSeconds.sorted()
    }

    /// Prints a line with the medians of all runs, and the time of one operation.
    func report(_ name: String, operations: Int, goal: String) {
        let (median, processor) = (seconds[seconds.count / 2], processorSeconds[processorSeconds.count / 2])
        let total = String(format: "%8.1f ms", median * 1e3)
        let each = String(format: "%7.2f µs", median * 1e6 / Double(operations))
        let work = String(format: "%7.2f µs", processor * 1e6 / Double(operations))
        let title = name.padding(toLength: 44, withPad: " ", startingAt: 0)
        print("\(title) \(total)  \(each) each, \(work) of processor time  (goal: \(goal))")
    }
}
