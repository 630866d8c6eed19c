#if os(macOS)
    /// The exit code with which a Mac app requests a receipt from the system.
    public enum ReceiptExitCode: Int32 {
        /// The receipt is missing or invalid.
        case notValid = 173
    }
#endif
