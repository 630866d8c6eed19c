import AppReceipt

/// The command line of `store receipt`.
struct ReceiptCommandOptions {
    private(set) var file = ""
    private(set) var bundleID: String?
    private(set) var device: DeviceIdentifier?
    private(set) var allowsLocalTesting = false
    private(set) var wantsJSON = false
    private(set) var wantsHelp = false

    /// A command line that is not understood.
    struct UsageError: Error {
        let reason: String
    }

    init(_ arguments: [String]) throws(UsageError) {
        var files: [String] = []
        var rest = arguments[...]
        var readsOptions = true
        while let argument = rest.popFirst() {
            guard readsOptions, argument.hasPrefix("-"), argument != "-" else {
                files.append(argument)
                continue
            }
            switch argument {
            case "--": readsOptions = false
            case "--bundle-id": bundleID = try Self.value(of: argument, &rest)
            case "--device-id":
                guard let identifier = DeviceIdentifier(try Self.value(of: argument, &rest)) else {
                    throw UsageError(reason: "--device-id takes a UUID, a MAC address or base64")
                }
                device = identifier
            case "--allow-local-testing": allowsLocalTesting = true
            case "--json": wantsJSON = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(reason: "unknown option \(TerminalText.plain(argument))")
            }
        }
        if wantsHelp { return }
        guard files.count == 1, let file = files.first else {
            throw UsageError(reason: files.isEmpty ? "no file given" : "one file at a time")
        }
        self.file = file
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw UsageError(reason: "\(option) takes a value")
        }
        return value
    }

    static let usage = """
        usage: store receipt FILE [--bundle-id ID] [--device-id UUID|MAC|base64] [--allow-local-testing] [--json]

        FILE is an App Store receipt (PKCS#7, binary or base64), an answer of Apple's verifyReceipt (JSON), or a signed
        transaction or renewal information (JWS).

          --bundle-id ID          the app the receipt has to be for
          --device-id ID          the device it has to be for: identifierForVendor, or a Mac's primary MAC address
          --allow-local-testing   believe receipts of Xcode's local testing and of the simulator, too
          --json                  write one JSON object instead of tables

        Exit codes: 0 verified, 1 not verified (JSON is not signed, so it never is), 64 wrong usage, 65 malformed, 66 no such file.
        """
}
