#if os(macOS)
    public import AppKit
    import StoreKit

    extension PresentationAnchor {
        /// A window. Purchases are confirmed there in macOS 15.2 and later; sheets are shown by its content's view
        /// controller.
        public init(_ window: NSWindow) {
            self.init(object: window)
        }

        /// A view controller. Purchases are confirmed in its window in macOS 15.2 and later.
        public init(_ viewController: NSViewController) {
            self.init(object: viewController)
        }

        @MainActor fileprivate var window: NSWindow? {
            object as? NSWindow ?? controller.flatMap { $0.isViewLoaded ? $0.view.window : nil }
        }

        /// A controller in a window. A window of SwiftUI has no content view controller, but its views may have one.
        @MainActor fileprivate var controller: NSViewController? {
            guard let window = object as? NSWindow else {
                return (object as? NSViewController).flatMap { $0.isViewLoaded && $0.view.window != nil ? $0 : nil }
            }
            return window.contentViewController
                ?? PresentationSearch.nearest(to: window.contentView, below: \.subviews) {
                    $0.nextResponder as? NSViewController
                }
        }
    }

    typealias SystemMessages = HeldMessages<Never>

    extension SystemStoreKit2 {
        @MainActor static func purchase(
            _ product: Product, _ options: Set<Product.PurchaseOption>, in anchor: PresentationAnchor?
        ) async throws -> Product.PurchaseResult {
            if #available(macOS 15.2, *), let window = anchor?.window {
                return try await product.purchase(confirmIn: window, options: options)
            }
            return try await product.purchase(options: options)
        }

        @MainActor static func present(
            _ sheet: StoreSheet, in anchor: PresentationAnchor?, _ messages: SystemMessages
        ) async throws -> StoreKit2SignedTransaction? {
            switch sheet {
            case .codeRedemption:
                let controller = try controller(of: anchor)
                if let signedTransaction = try await redeemOfferCode(from: anchor?.window) { return signedTransaction }
                guard #available(macOS 15, *) else { throw StoreError.unsupported(sheet) }
                try await AppStore.presentOfferCodeRedeemSheet(from: controller)
            case .refundRequest(let id):
                try conclude(
                    await StoreKit.Transaction.beginRefundRequest(
                        for: try StoreSheet.number(ofTransaction: id), in: try controller(of: anchor)))
            case .subscriptionManagement, .message, .priceConsent: throw StoreError.unsupported(sheet)
            }
            return nil
        }

        @MainActor private static func controller(of anchor: PresentationAnchor?) throws -> NSViewController {
            guard let controller = anchor?.controller else {
                throw StoreError.noPlace(anchor, needs: "a view controller, or a window that has one")
            }
            return controller
        }
    }
#endif
