#if os(Linux) || canImport(StoreKit, _version: 816)
    import AppReceipt
    import StoreKit

    // Bundles and errors that StoreKit has in the 27 SDK and later.
    extension ProductKind {
        static func later(_ type: Product.ProductType) -> ProductKind? {
            guard #available(iOS 27, macOS 27, tvOS 27, watchOS 27, visionOS 27, *) else { return nil }
            switch type {
            case .subscriptionBundle: return .subscriptionBundle
            case .subscriptionSuite: return .subscriptionSuite
            default: return nil
            }
        }
    }

    extension Product.SubscriptionInfo {
        var bundleMembers: [StoreProduct.BundledSubscription] {
            guard #available(iOS 27, macOS 27, tvOS 27, watchOS 27, visionOS 27, *) else { return [] }
            return bundledSubscriptions.map { member in
                StoreProduct.BundledSubscription(
                    id: member.id, displayName: member.displayName, description: member.description,
                    price: member.price,
                    displayPrice: member.displayPrice, isFamilyShareable: member.isFamilyShareable,
                    subscriptionGroupID: member.subscriptionGroupID, subscriptionLevel: member.subscriptionGroupLevel,
                    subscriptionGroupName: member.subscriptionGroupDisplayName)
            }
        }
    }

    extension StoreError.Code {
        static func later(_ error: StoreKitError) -> StoreError.Code? {
            guard #available(iOS 27, macOS 27, tvOS 27, watchOS 27, visionOS 27, *) else { return nil }
            if case .invalidPresentationContext = error { return .invalidPresentationContext }
            return nil
        }

        @available(tvOS 17, watchOS 10, *)
        static func later(_ error: StoreKit.Transaction.RefundRequestError) -> StoreError.Code? {
            guard #available(iOS 27, macOS 27, tvOS 27, watchOS 27, visionOS 27, *) else { return nil }
            return error == .ineligible ? .refundIneligible : nil
        }
    }
#else
    import AppReceipt
    import StoreKit

    // Built with a StoreKit that has no bundles.
    extension ProductKind {
        static func later(_ type: Product.ProductType) -> ProductKind? { nil }
    }

    extension Product.SubscriptionInfo {
        var bundleMembers: [StoreProduct.BundledSubscription] { [] }
    }

    extension StoreError.Code {
        static func later(_ error: StoreKitError) -> StoreError.Code? { nil }

        @available(tvOS 17, watchOS 10, *)
        static func later(_ error: StoreKit.Transaction.RefundRequestError) -> StoreError.Code? { nil }
    }
#endif
