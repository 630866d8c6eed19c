#if !os(visionOS)
    import StoreKit

    extension DepartedTransaction {
        var downloads: [SKDownload] { [] }
    }
#endif
