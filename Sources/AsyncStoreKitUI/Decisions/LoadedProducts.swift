package import AsyncStoreKit

/// The products of a model, by identifier, and the requests that load them.
///
/// Views on the screen share a model, and each names its own products. What all of them name is loaded and kept up to
/// date. A product that was loaded once stays known after its view has disappeared.
package struct LoadedProducts: Sendable, Hashable {
    /// Products to ask the App Store for.
    package struct Request: Sendable, Hashable {
        package let number: Int
        package let productIDs: [String]
    }

    /// The products that one view names, or the calls of the app without a view.
    private struct List: Sendable, Hashable {
        let place: ConfirmationPlace?
        var productIDs: [String]
    }

    /// The loaded products that the views on the screen name, in the order of the newest list.
    package private(set) var products: [StoreProduct] = []
    private var known: [String: StoreProduct] = [:]
    private var absences: [String: ProductAbsence] = [:]
    /// The newest list is the last one.
    private var lists: [List] = []
    /// The products of the last list that was left. They stay while no list is there, such as behind a full-screen
    /// cover.
    private var former: [String] = []
    private var running: [Int: [String]] = [:]
    private var requests = 0
    /// Whether a view or the app has named its products, even none.
    private var isAsked = false

    package init() {}
}

// Views.
extension LoadedProducts {
    /// A view appeared, or names other products than before.
    /// - Parameter place: The place of the view. The products of calls without a place are never left.
    /// - Returns: The request for those that aren't loaded; `nil` if there is nothing to load.
    package mutating func want(_ productIDs: [String], at place: ConfirmationPlace?) -> Request? {
        isAsked = true
        let called = place == nil ? lists.first { $0.place == nil }?.productIDs ?? [] : []
        lists.removeAll { $0.place == place }
        if !productIDs.isEmpty || !called.isEmpty {
            lists.append(List(place: place, productIDs: Self.unique(productIDs + called)))
        }
        listProducts()
        return request(
            wanted.filter { productID in
                switch absences[productID] {
                case .failed: true
                case .unknown: false
                case nil: known[productID] == nil
                }
            })
    }

    /// A view has disappeared.
    package mutating func leave(_ place: ConfirmationPlace) {
        let before = wanted
        lists.removeAll { $0.place == place }
        if lists.isEmpty { former = before }
        listProducts()
    }
}

// Requests.
extension LoadedProducts {
    /// The app became active, or the storefront changed: products that couldn't be loaded, or may have another price,
    /// are requested again.
    /// - Parameter evenIfLoaded: Whether loaded products, and those of running requests, are out of date.
    package mutating func requestAgain(evenIfLoaded: Bool) -> Request? {
        guard evenIfLoaded else { return request(wanted.filter { failure(of: $0) != nil }) }
        let wanted = Set(wanted)
        running = [:]
        known = known.filter { wanted.contains($0.key) }
        absences = absences.filter { wanted.contains($0.key) }
        return request(self.wanted)
    }

    private mutating func request(_ productIDs: [String]) -> Request? {
        let requested = Set(running.values.joined())
        let productIDs = productIDs.filter { !requested.contains($0) }
        guard !productIDs.isEmpty else { return nil }
        requests += 1
        running[requests] = productIDs
        return Request(number: requests, productIDs: productIDs)
    }

    /// A request has ended. One from before the products were out of date has no effect.
    package mutating func answered(_ request: Request, _ result: Result<[StoreProduct], StoreError>) {
        guard running.removeValue(forKey: request.number) != nil else { return }
        switch result {
        case .success(let products):
            let sold = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
            for productID in request.productIDs {
                known[productID] = sold[productID]
                absences[productID] = sold[productID] == nil ? .unknown : nil
            }
        case .failure(let error):
            // Products that were loaded before stay: slightly old prices are better than none.
            for productID in request.productIDs { absences[productID] = .failed(error) }
        }
        listProducts()
    }
}

// Answers.
extension LoadedProducts {
    package subscript(_ productID: String) -> StoreProduct? { known[productID] }

    /// All known products, also those that no view on the screen names.
    package var all: some Collection<StoreProduct> { known.values }

    package var groupIDs: [String] { Set(known.values.compactMap(\.subscriptionGroupID)).sorted() }

    /// Returns the products of a group: those that views on the screen name, or else the known ones.
    package func products(inGroup groupID: String) -> [StoreProduct] {
        let shown = products.filter { $0.subscriptionGroupID == groupID }
        guard shown.isEmpty else { return shown }
        return known.values.filter { $0.subscriptionGroupID == groupID }.sorted { $0.id < $1.id }
    }

    /// Why products that views on the screen name aren't loaded, or aren't up to date.
    package var error: StoreError? { wanted.lazy.compactMap(failure).first }

    /// Why a product isn't known; `nil` while it may be on its way.
    package func absence(of productID: String) -> ProductAbsence? {
        absences[productID] ?? (isAsked && running.isEmpty ? .unknown : nil)
    }

    /// Why no product of a group is known; `nil` while one may be on its way.
    package var absenceOfGroup: ProductAbsence? {
        guard isAsked, running.isEmpty else { return nil }
        return error.map(ProductAbsence.failed) ?? .unknown
    }

    private func failure(of productID: String) -> StoreError? {
        if case .failed(let error) = absences[productID] { error } else { nil }
    }
}

// Lists.
extension LoadedProducts {
    /// The products that the views on the screen name, in the order of the newest list.
    private var wanted: [String] {
        lists.isEmpty ? former : Self.unique(lists.reversed().flatMap(\.productIDs))
    }

    private mutating func listProducts() { products = wanted.compactMap { known[$0] } }

    private static func unique(_ productIDs: [String]) -> [String] {
        var seen: Set<String> = []
        return productIDs.filter { seen.insert($0).inserted }
    }
}
