import Foundation

/// `store receipt FILE …`: says what a receipt is, what it says and whether it can be believed.
enum ReceiptCommand {
    /// How the command ends; 64 to 66 are those of BSD's `sysexits.h`.
    enum ExitCode: Int32 {
        case verified = 0
        case notVerified = 1
        case usage = 64
        case malformed = 65
        case noInput = 66
    }

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - arguments: what follows `store receipt` on the command line.
    ///   - now: the moment at which subscriptions are judged.
    ///   - output: takes what goes to standard output, without the last newline.
    ///   - errorOutput: takes what goes to standard error.
    /// - Returns: the exit code.
    static func run(
        _ arguments: [String], now: Date = Date(), output: (String) -> Void, errorOutput: (String) -> Void
    ) -> Int32 {
        let options: ReceiptCommandOptions
        do {
            options = try ReceiptCommandOptions(arguments)
        } catch {
            errorOutput("store receipt: \(error.reason)\n\n\(ReceiptCommandOptions.usage)")
            return ExitCode.usage.rawValue
        }
        if options.wantsHelp {
            output(ReceiptCommandOptions.usage)
            return ExitCode.verified.rawValue
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: options.file))
        } catch {
            errorOutput("store receipt: cannot read \(TerminalText.plain(options.file))")
            return ExitCode.noInput.rawValue
        }
        let inspection: ReceiptInspection
        do {
            inspection = try ReceiptInspector(options, now: now).inspect(data)
        } catch {
            errorOutput("store receipt: malformed: \(TerminalText.plain("\(error)"))")
            return ExitCode.malformed.rawValue
        }
        output(options.wantsJSON ? ReceiptJSONReport.text(inspection) : ReceiptTextReport(inspection).text)
        return (inspection.isVerified ? ExitCode.verified : .notVerified).rawValue
    }
}
