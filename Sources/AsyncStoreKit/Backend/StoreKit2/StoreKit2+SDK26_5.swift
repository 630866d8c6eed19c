#if os(Linux) || canImport(StoreKit, _version: 815.5)
    import AppReceipt
    import StoreKit

    // Billing plans, which StoreKit has in the 26.5 SDK and later.
    extension Product.PurchaseOption {
        /// Returns the option for a billing plan.
        /// - Throws: ``StoreError/Code/billingPlanUnavailable`` on systems before 26.4.
        static func billing(_ plan: BillingPlan) throws(StoreError) -> [Product.PurchaseOption] {
            guard #available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else {
                throw StoreError(.billingPlanUnavailable, "Billing plans need a later system.")
            }
            return [.billingPlanType(Product.SubscriptionInfo.BillingPlanType(rawValue: plan.rawValue))]
        }
    }

    extension Product.SubscriptionInfo {
        var billingPlans: [BillingPlanTerms] {
            guard #available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else { return [] }
            return pricingTerms.map { terms in
                let commitment = terms.commitmentInfo
                return BillingPlanTerms(
                    plan: BillingPlan(rawValue: terms.billingPlanType.rawValue), billingPrice: terms.billingPrice,
                    billingDisplayPrice: terms.billingDisplayPrice,
                    billingPeriod: StoreSubscriptionPeriod(terms.billingPeriod),
                    commitment: BillingPlanTerms.Commitment(
                        price: commitment.price, displayPrice: commitment.displayPrice,
                        period: StoreSubscriptionPeriod(commitment.period)),
                    offers: terms.subscriptionOffers.map { StoreOffer($0, kind: TransactionOffer.Kind($0.type)) })
            }
        }

        /// Returns the win-back offers of a billing plan; `nil` if the storefront doesn't have the plan.
        func winBackOffers(of plan: BillingPlan) -> [Product.SubscriptionOffer]? {
            guard #available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else { return nil }
            return pricingTerms.first { $0.billingPlanType.rawValue == plan.rawValue }?[offers: .winBack]
        }
    }

    extension TransactionOffer.Kind {
        fileprivate init(_ type: Product.SubscriptionOffer.OfferType) {
            if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *), type == .winBack {
                self = .winBack
            } else {
                self = type == .promotional ? .promotional : .introductory
            }
        }
    }

    extension StoreError.Code {
        static func later(_ error: Product.PurchaseError) -> StoreError.Code? {
            guard #available(iOS 26.5, macOS 26.5, tvOS 26.5, watchOS 26.5, visionOS 26.5, *) else { return nil }
            return error == .paymentMethodBindingConfigurationRequired
                ? .paymentMethodRequired : nil
        }
    }
#else
    import AppReceipt
    import StoreKit

    // Built with a StoreKit that has no billing plans. Signed transactions still name the plan.
    extension Product.PurchaseOption {
        static func billing(_ plan: BillingPlan) throws(StoreError) -> [Product.PurchaseOption] {
            throw StoreError(.billingPlanUnavailable, "The app has to be built with a later Xcode for billing plans.")
        }
    }

    extension Product.SubscriptionInfo {
        var billingPlans: [BillingPlanTerms] { [] }

        func winBackOffers(of plan: BillingPlan) -> [Product.SubscriptionOffer]? { nil }
    }

    extension StoreError.Code {
        static func later(_ error: Product.PurchaseError) -> StoreError.Code? { nil }
    }
#endif
