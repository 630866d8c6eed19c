#if os(macOS)
    /// What a Mac app exits with to have the system fetch a receipt.
    public enum ReceiptExitCode: Int32 {
        /// The receipt is missing, or not valid.
        case notValid = 173
    }
#endif
