/// Returns the seeds of random runs in slices. A test runs one slice per case, so that each case ends within its time
/// limit, even with many runs on a slow machine.
/// - Parameters:
///   - seed: The value of the environment variable for the first seed. Without `count`, this seed alone is run.
///   - count: The value of the environment variable for the number of runs.
///   - usualCount: The number of runs without `seed` and `count`.
///   - size: The largest number of seeds in a slice.
package func seedSlices(
    of runs: String, seed: String?, count: String?, usualCount: Int, size: Int
) -> [[UInt64]] {
    let seed = seed.flatMap(UInt64.init)
    let wanted = count.flatMap(Int.init)
    if let seed, wanted == nil { return [[seed]] }
    let count = max(1, wanted ?? usualCount)
    let first = seed ?? UInt64.random(in: 0...UInt64.max / 2)
    print("\(runs): \(count), the first has seed \(first)")
    let sliceCount = min(count, max(10, (count + size - 1) / size))
    return (0..<sliceCount).map { slice in
        stride(from: slice, to: count, by: sliceCount).map { first &+ UInt64($0) }
    }
}
