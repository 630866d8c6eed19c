import AppReceipt
package import Foundation

/// `store receipt`: prints the form and the contents of a receipt, and verifies the receipt.
package enum ReceiptCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "receipt",
        summary: "Reads a receipt or signed data of the App Store, prints the contents, and verifies them.",
        operands: [
            .init(
                "FILE",
                "A receipt (PKCS#7, binary or base64), signed data (JWS), or JSON: a verifyReceipt response, a reply of the "
                    + "App Store Server API, or the body of a notification. - is standard input.")
        ],
        options: [
            .init("--bundle-id", value: "ID", "The expected bundle identifier of the app."),
            .init(
                "--app-store-id", value: "NUMBER",
                "The expected Apple ID of the app, in a notification or an app transaction."),
            .init("--device-id", value: "ID", "The expected device: identifierForVendor, a MAC address, or base64."),
            .init(
                "--allow-local-testing",
                "Also accepts signatures of Xcode's local testing and of the simulated App Store."),
            .init("--json", "Prints a JSON object instead of tables."),
        ],
        notes: [
            "Signed data is a transaction, renewal information, an app transaction, a notification, or the body of a notification's request.",
            "A verifyReceipt response and a notification of version 1 have no signature, so their verification always fails. The maximum file size is \(ByteCount(InputFile.largestSize)).",
            "Exit codes: 0 verified, 1 not verified, 64 wrong arguments, 65 malformed, 66 unreadable file.",
        ])

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        try run(arguments, console: console, now: Date())
    }

    /// Runs the command at a certain time.
    package static func run(_ arguments: ParsedArguments, console: Console, now: Date) throws(CommandFailure)
        -> ExitCode
    {
        let inspector = ReceiptInspector(
            bundleID: arguments["--bundle-id"], appStoreID: try appStoreID(arguments["--app-store-id"]),
            device: try device(arguments["--device-id"]),
            allowsLocalTesting: arguments.has("--allow-local-testing"), now: now)
        let path = arguments.operands.first ?? ""
        let data = try InputFile.read(path, as: "a receipt") { try console.standardInput($0) }
        let name = path == "-" ? "standard input" : path
        guard !data.isEmpty else { throw CommandFailure(.malformed, "\(name) is empty; expected a receipt.") }
        let inspection: ReceiptInspection
        do throws(MalformedReceiptError) {
            inspection = try inspector.inspect(data)
        } catch {
            let found = error.found.map { ", found \($0)" } ?? ""
            throw CommandFailure(
                .malformed, "\(name) is malformed at byte \(error.offset): expected \(error.expected)\(found).")
        }
        if arguments.has("--json") {
            console.verbatim(ReceiptJSONReport.lines(inspection))
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
