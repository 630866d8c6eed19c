/// The ratios that `Benchmarks --check` expects.
///
/// Measured on an AMD EPYC with two cores, Debian 12, Swift 6.3, on 2026-11-23, as medians of four runs. After a
/// change that improves a ratio, record the new one.
enum RecordedRatios {
    /// A purchase over a backend that answers immediately, and an empty call of an actor by a new task. Measured on
    /// 2026-11-24, as the median of four runs.
    static let purchase = 2.0
    /// A purchase with the block API, and the same purchase with the simulated payment queue alone.
    static let blockPurchase = 2.7

    /// The factor by which a ratio may exceed the recorded one.
    static let tolerance = 2.0
}
