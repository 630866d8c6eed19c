#if os(visionOS)
    import StoreKit

    // visionOS came after hosted content had gone.

    extension SKPaymentTransaction {
        var hasUnfinishedDownloads: Bool { false }
    }

    extension SKProduct {
        var hostedContentLengths: [Int64] { [] }
    }
#endif
