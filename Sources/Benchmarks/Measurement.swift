import Foundation

/// The seconds of several runs of an operation, without their preparation.
struct Measurement {
    private let seconds: [Double]

    init<Prepared>(runs: Int, prepare: () async -> Prepared, _ body: (Prepared) async -> Void) async {
        var seconds: [Double] = []
        for _ in 0..<runs {
            let prepared = await prepare()
            let start = DispatchTime.now().uptimeNanoseconds
            await body(prepared)
            seconds.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
        }
        self.seconds = seconds.sorted()
    }

    var median: Double { seconds[seconds.count / 2] }

    /// Prints a line with the median of all runs, and the time of one operation.
    func report(_ name: String, operations: Int, goal: String) {
        let total = String(format: "%8.1f ms", median * 1e3)
        let each = String(format: "%7.2f µs", median * 1e6 / Double(operations))
        print("\(name.padding(toLength: 44, withPad: " ", startingAt: 0)) \(total)  \(each) each  (goal: \(goal))")
    }
}
