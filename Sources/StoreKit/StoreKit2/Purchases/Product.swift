package import AppStoreSimulator
public import Foundation

/// A product of the App Store, with its texts and price.
public struct Product: Identifiable, Hashable, Sendable {
    /// The type of the identifier.
    public typealias ID = String

    private let product: SimulatedProduct
    private let display: ProductDisplay
    private let reference: LaunchReference

    /// Creates a product in the language and currency of a launch.
    package init(_ product: SimulatedProduct, launch: SimulatedLaunch) {
        self.init(product, ProductDisplay(of: launch), launch)
    }

    init(_ product: SimulatedProduct, _ display: ProductDisplay, _ launch: SimulatedLaunch) {
        self.product = product
        self.display = display
        reference = LaunchReference(launch: launch)
    }

    /// The launch that loaded the product.
    package var launch: SimulatedLaunch { reference.launch }

    /// The identifier of the product.
    public var id: String { product.productID }

    /// The type of the product.
    public var type: Product.ProductType {
        product.bundle.map { $0.isSuite ? .subscriptionSuite : .subscriptionBundle } ?? ProductType(product.kind)
    }

    /// The name in the language of the storefront.
    public var displayName: String { localization?.displayName ?? "" }

    /// The description in the language of the storefront.
    public var description: String { localization?.description ?? "" }

    /// The price, in the currency of ``priceFormatStyle``.
    public var price: Decimal { product.price }

    /// The price, formatted for the storefront.
    public var displayPrice: String { display.text(of: price) }

    /// Whether the customer can share the purchase with their family.
    public var isFamilyShareable: Bool { product.isFamilyShareable }

    /// Whether the customer can buy seats of the subscription with ``PurchaseOption/seats(_:)``.
    public var supportsMultiSeatPurchase: Bool { product.supportsMultiSeatPurchase }

    /// The style for formatting prices related to the product.
    public var priceFormatStyle: Decimal.FormatStyle.Currency { display.priceStyle }

    /// The terms of an auto-renewable subscription; `nil` for other products.
    public var subscription: Product.SubscriptionInfo? {
        product.subscription.map { SubscriptionInfo($0, of: product, display, reference.launch) }
    }

    private var localization: SimulatedProduct.Localization? {
        product.localization(for: display.localeIdentifier)
    }

    /// Loads the products with these identifiers, in no particular order. Identifiers without a product are omitted.
    ///
    /// - Throws: ``StoreKitError``
    public static func products<Identifiers>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers: Collection, Identifiers.Element == String {
        try await products(for: Set(identifiers), launch: StoreKitSimulation.currentLaunch)
    }

    /// Loads the products with these identifiers for one launch.
    package static func products(for identifiers: Set<String>, launch: SimulatedLaunch) async throws -> [Product] {
        guard !launch.isReadSuppressed else { return [] }
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

// The customer's transactions of the product.
extension Product {
    /// The latest transaction of the product in the history.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { Transaction.latest(for: id, launch: launch) }
    }

    /// The transaction that entitles the customer to the product.
    @available(iOS, deprecated: 18.4)
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { Transaction.currentEntitlement(for: id, launch: launch) }
    }

    /// The transactions that entitle the customer to the product.
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

    /// The product as JSON. The keys are specific to this package.
    public var jsonRepresentation: Data {
        let summary = Summary(
            id: id, type: type.rawValue, displayName: displayName, description: description, price: "\(price)",
            displayPrice: displayPrice, isFamilyShareable: isFamilyShareable,
            subscriptionGroupID: product.subscription?.groupID,
            subscriptionPeriod: product.subscription?.period.duration)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Encoding strings and Booleans never fails.
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
