import CatalogReview

/// `store check`: reviews the products of an app before App Review does, and checks a build.
package enum CheckCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "check",
        summary:
            "Reviews the products of a StoreKit configuration file, or checks that a build contains no simulated App Store.",
        operands: [.init("FILE", isRequired: false, "The StoreKit configuration file with the products (.storekit).")],
        options: [
            .init(
                "--sources", value: "FOLDERS",
                "Source folders or files, separated by commas. Compares the identifiers in string literals with the file."
            ),
            .init("--products", value: "PLIST", "A property list with the identifiers that the app uses."),
            .init("--scheme", value: "SCHEME", "The Xcode scheme that should use the file (.xcscheme)."),
            .init(
                "--previous", value: "OLD", "An earlier version of the file. Finds what customers lose by the change."),
            .init("--format", value: "FORMAT", "The form of the findings: text, json or github. The default is text."),
            .init("--strict", "Also fails if there are warnings only."),
            .init("--disable", value: "RULES", "Rules to turn off, separated by commas."),
            .init("--binary", value: "APP", "An executable or the folder of an app, instead of a file."),
        ],
        notes: [
            "Rules: \(CatalogFinding.Rule.allCases.map(\.rawValue).joined(separator: ", ")).",
            "Exit codes: 0 no errors, 1 errors or a simulated App Store, 64 wrong arguments, 66 unreadable file.",
            "Tests and previews link AppStoreSimulator and AsyncStoreKitTesting. An app that ships must not.",
        ])

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        guard let path = arguments["--binary"] else {
            guard let file = arguments.operands.first else { throw .usage("FILE or --binary APP is missing") }
            return try ShopCheck(file, arguments).run(on: console)
        }
        if let file = arguments.operands.first {
            throw .usage("--binary takes the place of FILE, so there can't be \(file.shown)")
        }
        if let other = (arguments.values.keys.filter { $0 != "--binary" } + arguments.flags).min() {
            throw .usage("\(other) needs FILE, and doesn't go with --binary")
        }
        return try BinaryCheck(path: path).run(on: console)
    }
}
