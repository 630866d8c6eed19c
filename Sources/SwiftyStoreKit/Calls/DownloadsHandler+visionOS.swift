#if os(visionOS)
    /// visionOS has no hosted content, so that there is nothing to be told.
    struct DownloadsHandler: Sendable {}
#endif
