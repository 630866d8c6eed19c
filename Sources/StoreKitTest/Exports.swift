// Apple's StoreKitTest re-exports StoreKit.
@_exported public import StoreKit
