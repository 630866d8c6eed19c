#if os(iOS) || os(visionOS)
    import StoreKit
    public import UIKit

    extension PresentationAnchor {
        /// A scene. Purchases are confirmed there in iOS 17 and later, always on visionOS; sheets need a window scene.
        public init(_ scene: UIScene) {
            self.init(object: scene)
        }

        /// A view controller. Purchases are confirmed there in iOS 18.2, visionOS 2.2 and later, and in its scene in
        /// earlier versions. Sheets are shown in its scene.
        public init(_ viewController: UIViewController) {
            self.init(object: viewController)
        }

        @MainActor fileprivate var scene: UIScene? {
            object as? UIScene ?? (object as? UIViewController)?.viewIfLoaded?.window?.windowScene
        }

        /// The controller over which a sheet appears: the topmost one of the scene, or of the anchor's own controller.
        @MainActor fileprivate func controller(in scene: UIWindowScene) -> UIViewController? {
            let window = scene.windows.first(where: \.isKeyWindow) ?? scene.windows.first { !$0.isHidden }
            let root = object as? UIViewController ?? window?.rootViewController
            return root.map { root in
                PresentationSearch.topmost(of: root) { controller in
                    controller.presentedViewController.flatMap { $0.isBeingDismissed ? nil : $0 }
                }
            }
        }
    }

    typealias SystemMessages = HeldMessages<UIWindowScene>

    extension SystemStoreKit2 {
        @MainActor static func purchase(
            _ product: Product, _ options: Set<Product.PurchaseOption>, in anchor: PresentationAnchor?
        ) async throws -> Product.PurchaseResult {
            if #available(iOS 18.2, visionOS 2.2, *), let controller = anchor?.object as? UIViewController {
                return try await product.purchase(confirmIn: controller, options: options)
            }
            if #available(iOS 17, *), let scene = anchor?.scene {
                return try await product.purchase(confirmIn: scene, options: options)
            }
            return try await purchaseAnywhere(product, options)
        }

        /// Purchases a product where the system chooses. On visionOS, the app has to name the scene.
        @MainActor private static func purchaseAnywhere(
            _ product: Product, _ options: Set<Product.PurchaseOption>
        ) async throws -> Product.PurchaseResult {
            #if os(visionOS)
                throw StoreError(
                    .invalidPresentationContext,
                    "visionOS confirms a purchase in a scene. Set an anchor for the store with setPresentationAnchor(_:), or pass one."
                )
            #else
                do {
                    return try await product.purchase(options: options)
                } catch StoreKitError.unknown {
                    throw StoreError.purchaseInterrupted(product.id, underlying: StoreKitError.unknown)
                        .namingMissingAnchor
                }
            #endif
        }

        @MainActor static func present(
            _ sheet: StoreSheet, in anchor: PresentationAnchor?, _ messages: SystemMessages
        ) async throws -> StoreKit2SignedTransaction? {
            if case .priceConsent = sheet { throw StoreError.unsupported(sheet) }
            // A scene that isn't on the screen presents nothing, and StoreKit's functions don't return then.
            guard let scene = anchor?.scene as? UIWindowScene,
                [.foregroundActive, .foregroundInactive].contains(scene.activationState)
            else {
                throw StoreError.noPlace(
                    anchor, needs: "a window scene on the screen, or a view controller in one")
            }
            switch sheet {
            case .codeRedemption:
                if let signedTransaction = try await redeemOfferCode(from: anchor?.controller(in: scene)) {
                    return signedTransaction
                }
                #if targetEnvironment(macCatalyst)
                    throw StoreError.unsupported(sheet)
                #else
                    guard #available(iOS 16, *) else { throw StoreError.unsupported(sheet) }
                    try await AppStore.presentOfferCodeRedeemSheet(in: scene)
                #endif
            case .subscriptionManagement(let groupID?):
                guard #available(iOS 17, *) else {
                    try await AppStore.showManageSubscriptions(in: scene)
                    return nil
                }
                try await AppStore.showManageSubscriptions(in: scene, subscriptionGroupID: groupID)
            case .subscriptionManagement: try await AppStore.showManageSubscriptions(in: scene)
            case .refundRequest(let id):
                try conclude(
                    await StoreKit.Transaction.beginRefundRequest(
                        for: try StoreSheet.number(ofTransaction: id), in: scene))
            case .message(let message):
                guard #available(iOS 16, *) else { throw StoreError.unsupported(sheet) }
                try messages.display(message, in: scene)
            case .priceConsent: break
            }
            return nil
        }
    }

    extension HeldMessages where Place == UIWindowScene {
        /// Receives the App Store's messages, which the system otherwise shows.
        func startReceiving(_ receive: @escaping @Sendable (StoreMessage) -> Void) -> StoreKit2Listening {
            guard #available(iOS 16, *) else { return {} }
            let task = observe(Message.messages) { [self] message in
                let value = StoreMessage(reason: StoreMessage.Reason(message.reason))
                hold(value) { try message.display(in: $0) }
                receive(value)
            }
            return { task.cancel() }
        }
    }

    @available(iOS 16, *)
    extension StoreMessage.Reason {
        fileprivate init(_ reason: Message.Reason) {
            switch reason {
            case .priceIncreaseConsent: self = .priceIncreaseConsent
            case .generic: self = .generic
            default: self = Self.later(reason)
            }
        }

        private static func later(_ reason: Message.Reason) -> StoreMessage.Reason {
            if #available(iOS 16.4, *), reason == .billingIssue { return .billingIssue }
            if #available(iOS 18, visionOS 2, *), reason == .winBackOffer { return .winBackOffer }
            return StoreMessage.Reason(description: "\(reason.rawValue)")
        }
    }
#endif
