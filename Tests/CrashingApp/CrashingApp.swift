import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// One launch of an app that credits coins, and whose process ends at a certain step.
///
/// The App Store has the same four purchases in every launch, and finishing them never succeeds.
@main
enum CrashingApp {
    /// The arguments of the process.
    struct Launch: Sendable {
        /// Where the app keeps its files.
        let folder: URL
        let engine: StoreEngine
        /// `delivery`, `loop` or `closure`.
        let manner: String
        /// The step at which the process ends: a `DeliveryLedger.Step`, `deliver`, `credited` or `finish`. No step ends
        /// it otherwise.
        let step: String
        /// The number of times that the process passes the step before it ends there.
        let passes: Int

        init?(_ arguments: [String]) {
            guard arguments.count == 6, let passes = Int(arguments[5]) else { return nil }
            folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
            engine = arguments[2] == "storeKit1" ? .storeKit1 : .storeKit2
            manner = arguments[3]
            step = arguments[4]
            self.passes = passes
        }
    }

    static func main() async throws {
        guard let launch = Launch(CommandLine.arguments) else {
            return print("usage: folder engine manner step passes")
        }
        let coins = SimulatedProduct(productID: "coins", kind: .consumable, price: 1)
        let appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: [coins]), seed: 1)
        appStore.behavior.signsReceipts = false
        appStore.behavior.finishingFails = true
        for _ in 1...3 { try appStore.buyProduct(productID: coins.productID) }
        let app = App(launch)
        var ledger = DeliveryLedger(url: launch.folder.appendingPathComponent("Deliveries"))
        ledger.willPerform = { step in .success(app.reach(step.rawValue)) }
        var configuration = StoreConfiguration(deliveryLedger: ledger)
        if launch.manner == "delivery" { configuration.delivery = app }
        configuration.clock = SimulatedClock(appStore)
        let store = PurchaseStore(
            over: CrashingBackend(next: SimulatedBackend(appStore, engine: launch.engine), app: app),
            configuration: configuration)
        // On the main actor, so that the loop has begun when the store settles.
        let loop = Task { @MainActor in
            guard launch.manner != "delivery" else { return }
            for await purchase in store.transactions where !purchase.isHandledElsewhere {
                app.credit(purchase)
                await purchase.finish()
            }
        }
        // The fourth purchase, which is the same one in every launch.
        if launch.manner == "closure" {
            try await store.purchase(coins.productID) { app.credit($0) }
        } else {
            try appStore.buyProduct(productID: coins.productID)
        }
        try await store.settled()
        loop.cancel()
        print("done")
    }
}

/// What the app keeps, in files to which lines are appended.
struct App: PurchaseDelivery {
    private let launch: CrashingApp.Launch
    private let passes = Locked(0)

    init(_ launch: CrashingApp.Launch) {
        self.launch = launch
    }

    /// Ends the process at the requested step.
    func reach(_ step: String) {
        guard step == launch.step else { return }
        let isEnd = passes.withLock { passes in
            passes += 1
            return passes > launch.passes
        }
        if isEnd { kill(getpid(), SIGKILL) }
    }

    /// Credits coins once for each delivery key, and notes each call.
    func credit(_ purchase: StorePurchase) {
        reach("deliver")
        let key = purchase.deliveryKey
        let isCredited = lines(of: "credits").contains(key)
        append(key, to: "calls")
        if !isCredited { append(key, to: "credits") }
        reach("credited")
    }

    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        for purchase in request.purchases { credit(purchase) }
        return .accepted
    }

    private func lines(of file: String) -> [String] {
        let data = try? Data(contentsOf: launch.folder.appendingPathComponent(file))
        return String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func append(_ line: String, to file: String) {
        let descriptor = open(launch.folder.appendingPathComponent(file).path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let bytes = Array((line + "\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { fatalError("The app can't keep its files.") }
    }
}

/// Ends the process before the App Store receives the request to finish a transaction.
struct CrashingBackend: RelayBackend {
    let next: any StoreBackend
    let app: App

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        app.reach("finish")
        next.finish(token, completion: completion)
    }
}
