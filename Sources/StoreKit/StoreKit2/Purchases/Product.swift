package import AppStoreSimulator
public import Foundation

/// A product of the App Store, with its texts and its price.
public struct Product: Identifiable, Hashable, Sendable {
    /// The type of the identifier.
    public typealias ID = String

    private let product: SimulatedProduct
    private let display: ProductDisplay
    private let reference: LaunchReference

    /// The product as it is shown in a launch.
    package init(_ product: SimulatedProduct, launch: SimulatedLaunch) {
        self.init(product, ProductDisplay(of: launch), launch)
    }

    init(_ product: SimulatedProduct, _ display: ProductDisplay, _ launch: SimulatedLaunch) {
        self.product = product
        self.display = display
        reference = LaunchReference(launch: launch)
    }

    /// The launch in which it was asked for.
    package var launch: SimulatedLaunch { reference.launch }

    /// The identifier by which the app asks for the product.
    public var id: String { product.productID }

    /// What kind of product it is.
    public var type: Product.ProductType {
        product.bundle.map { $0.isSuite ? .subscriptionSuite : .subscriptionBundle } ?? ProductType(product.kind)
    }

    /// The name in the language of the storefront.
    public var displayName: String { localization?.displayName ?? "" }

    /// The description in the language of the storefront.
    public var description: String { localization?.description ?? "" }

    /// The price, in the currency of ``priceFormatStyle``.
    public var price: Decimal { product.price }

    /// The price in the words of the storefront.
    public var displayPrice: String { display.text(of: price) }

    /// Whether the purchase is shared with the customer's family.
    public var isFamilyShareable: Bool { product.isFamilyShareable }

    /// The style by which prices are shown that have to do with the product.
    public var priceFormatStyle: Decimal.FormatStyle.Currency { display.priceStyle }

    /// The terms of an auto-renewable subscription; `nil` for every other product.
    public var subscription: Product.SubscriptionInfo? {
        product.subscription.map { SubscriptionInfo($0, of: product, display, reference.launch) }
    }

    private var localization: SimulatedProduct.Localization? {
        product.localization(for: display.localeIdentifier)
    }

    /// The products with these identifiers, in no particular order. Identifiers that name none are left out.
    ///
    /// - Throws: ``StoreKitError``
    public static func products<Identifiers>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers: Collection, Identifiers.Element == String {
        try await products(for: Set(identifiers), launch: StoreKitSimulation.currentLaunch)
    }

    /// The products with these identifiers, as one launch asks for them.
    package static func products(for identifiers: Set<String>, launch: SimulatedLaunch) async throws -> [Product] {
        guard !launch.readsNothing else { return [] }
        let pending = PendingAnswer<Result<[SimulatedProduct], SimulatedError>?>()
        let request = launch.products(for: identifiers) { pending.answer($0) }
        let answer = await withTaskCancellationHandler {
            await pending.value
        } onCancel: {
            guard launch.store.behavior.cancelledTasksReadNothing else { return }
            request.cancel()
            pending.answer(.success([]))
        }
        switch answer {
        case .success(let products)?:
            let display = ProductDisplay(of: launch)
            return products.map { Product($0, display, launch) }
        case .failure(let error)?: throw StoreKitError(error)
        case nil: throw CancellationError()
        }
    }
}

// What the customer has of the product.
extension Product {
    /// The latest transaction of the product that is listed.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { Transaction.latest(for: id, launch: launch) }
    }

    /// The transaction by which the customer may use the product.
    @available(iOS, deprecated: 18.4)
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { Transaction.currentEntitlement(for: id, launch: launch) }
    }

    /// The transactions by which the customer may use the product.
    public var currentEntitlements: Transaction.Transactions {
        Transaction.currentEntitlements(for: id, launch: launch)
    }
}

extension Product: CustomDebugStringConvertible {
    private struct Summary: Encodable {
        let id: String
        let type: String
        let displayName: String
        let description: String
        let price: String
        let displayPrice: String
        let isFamilyShareable: Bool
        let subscriptionGroupID: String?
        let subscriptionPeriod: String?
    }

    /// The product as JSON. The names are this package's own.
    public var jsonRepresentation: Data {
        let summary = Summary(
            id: id, type: type.rawValue, displayName: displayName, description: description, price: "\(price)",
            displayPrice: displayPrice, isFamilyShareable: isFamilyShareable, subscriptionGroupID: product.subscription?.groupID,
            subscriptionPeriod: product.subscription?.period.duration)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Strings and Booleans only, which never fail.
        return (try? encoder.encode(summary)) ?? Data()
    }

    /// The product as JSON.
    public var debugDescription: String {
        String(decoding: jsonRepresentation, as: UTF8.self)
    }
}

extension Product.ProductType {
    init(_ kind: SimulatedProduct.Kind) {
        self.init(rawValue: kind.words)
    }
}
