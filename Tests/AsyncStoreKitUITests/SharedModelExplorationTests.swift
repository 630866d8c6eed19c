import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

/// Plays every sequence of events, up to a length, of views that share a model.
@Suite(.bounded) struct SharedModelExplorationTests {
    @Test(arguments: [2, 3]) func `views that name different products take nothing away from each other`(views: Int)
        async throws
    {
        let catalog = SimulatedCatalog(products: [
            .consumable("coins", price: 1), .nonConsumable("pro", price: 10), .nonConsumable("club", price: 5),
        ])
        let store = PurchaseStore(simulating: SimulatedAppStore(catalog: catalog))
        let products = Array(try await store.products(for: ["coins", "pro", "club"]))
        await explore("views of products", ProductViews(products, views: views), depth: views == 2 ? 7 : 6)
    }

    @Test @MainActor func `an alert is shown where the customer is, once, and isn't lost`() async {
        await explore("views with alerts", AlertViews(), depth: 6)
    }
}

/// Two or three views, each with a list of its own, and a product that the App Store doesn't sell.
private struct ProductViews: ExploredModel {
    enum Input {
        case toggled(Int), sold, failed, activated, storefrontChanged
    }

    private static let lists = [["pro", "coins"], ["coins", "club"], ["gone", "pro"]]
    private let sold: [String: StoreProduct]
    private let places: [ConfirmationPlace]
    private var loaded = LoadedProducts()
    /// The views on the screen, the newest last.
    private var shown: [Int] = []
    private var running: [LoadedProducts.Request] = []
    private var outdated: LoadedProducts.Request?

    init(_ products: [StoreProduct], views: Int) {
        sold = Dictionary(uniqueKeysWithValues: products.map { ($0.id, $0) })
        places = (0..<views).map { _ in ConfirmationPlace() }
    }

    var inputs: [Input] {
        places.indices.map { .toggled($0) } + (running.isEmpty ? [] : [.sold, .failed])
            + (shown.isEmpty ? [] : [.activated, .storefrontChanged])
    }

    private var wanted: [String] {
        shown.reversed().flatMap { Self.lists[$0] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        let before = wanted.filter { loaded[$0] != nil }
        switch input {
        case .toggled(let view) where shown.contains(view):
            shown.removeAll { $0 == view }
            loaded.leave(places[view])
        case .toggled(let view):
            shown.append(view)
            try begin(loaded.want(Self.lists[view], at: places[view]))
        case .sold:
            let request = running.removeFirst()
            loaded.answered(request, .success(request.productIDs.compactMap { sold[$0] }))
        case .failed:
            // The newest request is answered first.
            loaded.answered(running.removeLast(), .failure(StoreError(.networkError, "There is no network.")))
        case .activated: try begin(loaded.requestAgain(evenIfLoaded: false))
        case .storefrontChanged:
            outdated = running.first
            running = []
            try begin(loaded.requestAgain(evenIfLoaded: true))
            if let outdated {
                let state = loaded
                loaded.answered(outdated, .success(Array(sold.values)))
                try promise(loaded == state, "an outdated answer had an effect")
            }
        }
        for productID in before where wanted.contains(productID) {
            try promise(loaded[productID] != nil, "\(productID) was taken away")
        }
        try check()
    }

    private mutating func begin(_ request: LoadedProducts.Request?) throws(BrokenPromise) {
        guard let request else { return }
        try promise(Set(request.productIDs).isSubset(of: wanted), "no view names all of \(request.productIDs)")
        running.append(request)
    }

    private func check() throws(BrokenPromise) {
        let requested = running.flatMap(\.productIDs)
        try promise(Set(requested).count == requested.count, "a product is requested twice")
        if !shown.isEmpty {
            let expected = wanted.filter { loaded[$0] != nil }
            try promise(loaded.products.map(\.id) == expected, "\(loaded.products.map(\.id)) instead of \(expected)")
        }
        for productID in wanted where loaded[productID] == nil {
            let absence = loaded.absence(of: productID)
            try promise(absence != nil || requested.contains(productID), "\(productID) is awaited forever")
            try promise(absence != .unknown || sold[productID] == nil, "\(productID) is \"not available\"")
        }
        let failures = wanted.filter { if case .failed = loaded.absence(of: $0) { true } else { false } }
        try promise(loaded.error == nil || !failures.isEmpty || wanted.isEmpty, "an error of other views")
    }
}

/// A view and its sheet in a window, and a view in another window.
private struct AlertViews: ExploredModel {
    enum Input {
        case toggled(Int), windowUsed(Int), arrived, dismissed(Int)
    }

    private final class Window: Sendable {}

    private let places: [ConfirmationPlace]
    private var alerts = StoreAlerts()
    /// The views on the screen, the one that is used at the end.
    private var shown: [Int] = []
    private var count = 0

    @MainActor init() {
        let windows = [Window(), Window()]
        places = [0, 0, 1].map { window in
            let place = ConfirmationPlace()
            place.window = { windows[window] }
            return place
        }
    }

    var inputs: [Input] {
        places.indices.map { .toggled($0) } + [.windowUsed(0), .windowUsed(1), .arrived]
            + places.indices.filter { alerts[places[$0]] != nil }.map { .dismissed($0) }
    }

    private static func window(of view: Int) -> Int { view == 2 ? 1 : 0 }

    private mutating func use(_ window: Int) {
        shown = shown.filter { Self.window(of: $0) != window } + shown.filter { Self.window(of: $0) == window }
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        let broken = MainActor.assumeIsolated { () -> BrokenPromise? in
            do throws(BrokenPromise) {
                try taken(input)
                return nil
            } catch {
                return error
            }
        }
        if let broken { throw broken }
    }

    @MainActor private mutating func taken(_ input: Input) throws(BrokenPromise) {
        let before = places.map { alerts[$0] }
        var expected = before
        switch input {
        case .toggled(let view) where shown.contains(view):
            shown.removeAll { $0 == view }
            alerts.disappeared(places[view])
            expected[view] = nil
            if let next = shown.last { expected[next] = before[next] ?? before[view] }
        case .toggled(let view):
            use(Self.window(of: view))
            shown.append(view)
            alerts.appeared(places[view])
        case .windowUsed(let window):
            use(window)
            alerts.used(windowOf: places[window == 0 ? 0 : 2])
        case .arrived:
            count += 1
            let alert = StoreAlert(
                StoreError(count.isMultiple(of: 2) ? .networkError : .unknown, ""), during: .purchase)
            _ = alerts.show(alert, at: alerts.next)
            if let last = shown.last { expected[last] = alert }
        case .dismissed(let view):
            alerts.dismissed(at: places[view])
            expected[view] = nil
        }
        let after = places.map { alerts[$0] }
        try promise(after == expected, "\(after.map { $0?.message ?? "-" }), expected \(expected.map { $0?.message })")
    }
}
