#if (os(iOS) || os(visionOS)) && canImport(StoreKit, _version: 816)
    import StoreKit
    import UIKit

    extension SystemStoreKit2 {
        /// Presents the sheet for offer codes. Returns the transaction of the code, or `nil` on earlier systems.
        @MainActor static func redeemOfferCode(from controller: UIViewController?) async throws
            -> StoreKit2SignedTransaction?
        {
            guard #available(iOS 27, macCatalyst 27, visionOS 27, *), let controller else { return nil }
            return StoreKit2SignedTransaction(
                try await AppStore.presentOfferCodeRedeemSheet(from: controller, options: []))
        }
    }
#elseif os(macOS) && canImport(StoreKit, _version: 816)
    import AppKit
    import StoreKit

    extension SystemStoreKit2 {
        /// Presents the sheet for offer codes. Returns the transaction of the code, or `nil` on earlier systems.
        @MainActor static func redeemOfferCode(from window: NSWindow?) async throws -> StoreKit2SignedTransaction? {
            guard #available(macOS 27, *), let window else { return nil }
            return StoreKit2SignedTransaction(try await AppStore.presentOfferCodeRedeemSheet(from: window, options: []))
        }
    }
#elseif os(iOS) || os(visionOS) || os(macOS)
    extension SystemStoreKit2 {
        /// Returns `nil`: this StoreKit has no sheet that returns a transaction.
        @MainActor static func redeemOfferCode(from place: AnyObject?) async throws -> StoreKit2SignedTransaction? {
            nil
        }
    }
#endif
