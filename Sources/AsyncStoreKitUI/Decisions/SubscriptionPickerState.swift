package import AppReceipt
package import AsyncStoreKit
import Foundation

package struct SubscriptionPickerState: Sendable, Hashable {
    package enum Phase: Sendable, Hashable {
        /// The products are being loaded.
        case loading
        /// The products couldn't be loaded.
        case failed(StoreError)
        /// None of the loaded products belongs to the group.
        case empty
        /// There are options.
        case ready
    }

    /// A subscription, billed in one way.
    package struct Option: Sendable, Hashable, Identifiable {
        package struct ID: Sendable, Hashable {
            package let productID: String
            package let billingPlan: BillingPlan?

            package init(_ productID: String, _ billingPlan: BillingPlan? = nil) {
                self.productID = productID
                self.billingPlan = billingPlan
            }
        }

        package let id: ID
        package let title: String
        package let terms: PurchaseTerms
        /// The saving, compared with the most expensive subscription of the same level; `nil` without a saving.
        package let saving: String?
        /// Whether the customer has this subscription, and it renews.
        package let isCurrent: Bool

        package var purchaseOptions: PurchaseOptions { PurchaseOptions(billingPlan: id.billingPlan) }

        /// The text below the terms: the status of the current plan, or the saving.
        package var note: String? { isCurrent ? CustomerTexts.current.text(.statusSubscribed) : saving }

        /// The title, the terms, and the note, for screen readers.
        package var accessibilityLabel: String {
            [title, terms.summary, note].compactMap(\.self).joined(separator: ", ")
        }
    }

    package let phase: Phase
    package let options: [Option]
    /// The option that the customer has selected, or the first one that can be bought.
    package let selected: Option?
    /// The text of the button.
    package let callToAction: String
    /// The terms of the selected option, and a sentence about the renewal.
    package let disclosure: String?

    /// - Parameters:
    ///   - groupID: The subscription group.
    ///   - state: The state of the model.
    ///   - selection: The option that the customer has selected.
    package init(group groupID: String, _ state: StoreModelState, selection: Option.ID?) {
        let products = state.products.products(inGroup: groupID)
        options = products.flatMap { product in
            Self.plans(of: product).compactMap { Option(product, $0, products, state) }
        }
        let selected = options.first { $0.id == selection } ?? options.first { !$0.isCurrent } ?? options.first
        self.selected = selected
        if !options.isEmpty {
            phase = .ready
        } else {
            phase =
                switch state.products.absenceOfGroup {
                case .failed(let error): .failed(error)
                case .unknown: .empty
                case nil: .loading
                }
        }
        let isSubscribed =
            state.entitlements.subscription(inGroup: groupID)?.isEntitled == true
            || products.contains { state.entitlements.contains($0.id) }
        let text: CustomerText =
            if selected?.terms.isTrial == true {
                .buttonStartTrial
            } else {
                isSubscribed ? .buttonChangePlan : .buttonSubscribe
            }
        callToAction = CustomerTexts.current.text(text)
        disclosure = selected.map { CustomerTexts.current.text(.pickerRenewal, [.terms: $0.terms.summary]) }
    }

    /// Returns the billing plans of a product: the one without a commitment, which is `nil`, and those with one.
    private static func plans(of product: StoreProduct) -> [BillingPlan?] {
        [nil] + product.billingPlans.map(\.plan).filter { $0 != .upFront }
    }
}

extension SubscriptionPickerState.Option {
    fileprivate init?(
        _ product: StoreProduct, _ plan: BillingPlan?, _ products: [StoreProduct], _ state: StoreModelState
    ) {
        let options = PurchaseOptions(billingPlan: plan)
        guard let terms = PurchaseTerms(product, options: options, eligible: state.offers(for: product)) else {
            return nil
        }
        id = ID(product.id, plan)
        title = product.displayName
        self.terms = terms
        let entitlement = state.entitlements[product.id]
        let button = PurchaseButtonState(
            product: product, terms: terms, shared: .idle, failure: nil, entitlement: entitlement)
        let currentPlan = entitlement?.billingPlan == .upFront ? nil : entitlement?.billingPlan
        isCurrent = button.isOwned && currentPlan == plan
        // A price with a commitment isn't compared with prices that end sooner.
        let others = plan == nil ? products.filter { $0.subscriptionLevel == product.subscriptionLevel } : []
        saving = others.compactMap { product.saving(comparedTo: $0) }.max().map { percent in
            let texts = CustomerTexts.current
            let style = FloatingPointFormatStyle<Double>.Percent(locale: texts.locale).precision(.fractionLength(0))
            return texts.text(.pickerSaving, [.percent: (Double(percent) / 100).formatted(style)])
        }
    }
}
