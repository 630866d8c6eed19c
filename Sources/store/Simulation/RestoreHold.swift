import AppStoreSimulator
import AsyncStoreKit
import Dispatch

/// Makes a restore slow: what the App Store reports of it is held back until it is released.
///
/// It blocks the simulated App Store's own thread, on which nothing else runs meanwhile.
final class RestoreHold: SimulatedQueueObserver {
    private let isOver = Locked(false)
    private let release = DispatchSemaphore(value: 0)
    private let (begun, beginning) = AsyncStream.makeStream(of: Void.self)

    init(on launch: SimulatedLaunch) {
        launch.add(self)
    }

    /// Returns when the restore has begun to answer.
    func untilBegun() async {
        for await _ in begun {}
    }

    /// Lets the restore continue.
    func letGo() {
        isOver.withLock { $0 = true }
        release.signal()
    }

    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent) {
        switch event {
        case .updatedTransactions(let transactions) where transactions.contains { $0.state == .restored }: hold()
        case .restoreFinished, .restoreFailed: hold()
        default: break
        }
    }

    private func hold() {
        guard !isOver.withLock({ $0 }) else { return }
        beginning.finish()
        release.wait()
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct
    ) -> Bool {
        false
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront
    ) -> Bool {
        true
    }
}
