#if os(visionOS)
    import StoreKit

    // visionOS never had hosted content.

    extension SKPaymentTransaction {
        func storeDownloads(of token: TransactionToken) -> [StoreDownload] { [] }
    }

    extension SKProduct {
        var hostedContentLengths: [Int64] { [] }
    }

    extension StoreKit1Backend {
        package var hostedContent: (any HostedContentBackend)? { nil }
    }
#endif
