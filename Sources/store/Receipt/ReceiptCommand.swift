import AppReceipt
package import Foundation

/// `store receipt`: what kind of receipt a file is, its contents, and whether it can be trusted.
package enum ReceiptCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "receipt",
        summary: "Reads a receipt or signed data of the App Store, shows its contents and verifies it.",
        operands: [
            .init("FILE", "A receipt (PKCS#7, binary or base64), a verifyReceipt response (JSON), or signed data (JWS).")
        ],
        options: [
            .init("--bundle-id", value: "ID", "The app for which it has to be."),
            .init("--app-store-id", value: "NUMBER", "The app's Apple ID, which notifications and app transactions name."),
            .init("--device-id", value: "ID", "The device for which it has to be: identifierForVendor, or a Mac's MAC address, or base64."),
            .init("--allow-local-testing", "Trusts the signatures of Xcode's local testing and of the simulator, too."),
            .init("--json", "Prints one JSON object instead of tables."),
        ],
        notes: [
            "Signed data is a transaction, renewal information, an app transaction, a notification "
                + "or a request for a retention message, also in the body that Apple posts.",
            "JSON is not signed, so it is never verified. Of a file, at most \(ByteCount(InputFile.largestSize)) are read; pipes and devices are not.",
            "Exit code: 0 verified, 1 not verified, 64 wrong arguments, 65 malformed, 66 unusable file.",
        ])

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        try run(arguments, console: console, now: Date())
    }

    /// Runs the command as if it were a certain time.
    package static func run(_ arguments: ParsedArguments, console: Console, now: Date) throws(CommandFailure) -> ExitCode {
        let inspector = ReceiptInspector(
            bundleID: arguments["--bundle-id"], appStoreID: try appStoreID(arguments["--app-store-id"]),
            device: try device(arguments["--device-id"]),
            allowsLocalTesting: arguments.has("--allow-local-testing"), now: now)
        let data = try InputFile.read(arguments.operands.first ?? "", as: "a receipt")
        let inspection: ReceiptInspection
        do {
            inspection = try inspector.inspect(data)
        } catch {
            throw CommandFailure(.malformed, "malformed: \(error)")
        }
        if arguments.has("--json") {
            console.lines(ReceiptJSONReport.lines(inspection))
        } else {
            ReceiptTextReport(inspection).print(to: console)
        }
        return inspection.isVerified ? .success : .failure
    }

    private static func appStoreID(_ argument: String?) throws(CommandFailure) -> Int64? {
        guard let argument else { return nil }
        guard let number = Int64(argument), number > 0 else {
            throw .usage("--app-store-id takes a number, not \(argument.shown)")
        }
        return number
    }

    private static func device(_ argument: String?) throws(CommandFailure) -> DeviceIdentifier? {
        guard let argument else { return nil }
        guard let device = DeviceIdentifier(argument) else {
            throw .usage("--device-id takes a UUID, a MAC address or base64, not \(argument.shown)")
        }
        return device
    }
}
