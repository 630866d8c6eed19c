#if os(visionOS)
    import StoreKit

    // visionOS came after hosted content had gone.

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
