import AppStoreSimulator
import CatalogReview
import Foundation

/// Reviews the products of a StoreKit configuration file.
struct ShopCheck {
    private let path: String
    private let sources: [String]
    private let products: String?
    private let scheme: String?
    private let previous: String?
    private let format: FindingReport.Format
    private let isStrict: Bool
    private let disabled: Set<CatalogFinding.Rule>

    init(_ path: String, _ arguments: ParsedArguments) throws(CommandFailure) {
        self.path = path
        sources = Self.list(arguments["--sources"])
        products = arguments["--products"]
        scheme = arguments["--scheme"]
        previous = arguments["--previous"]
        isStrict = arguments.has("--strict")
        let name = arguments["--format"] ?? FindingReport.Format.text.rawValue
        guard let format = FindingReport.Format(rawValue: name) else {
            throw .usage("--format takes text, json or github, not \(name.shown)")
        }
        self.format = format
        var disabled: Set<CatalogFinding.Rule> = []
        for name in Self.list(arguments["--disable"]) {
            guard let rule = CatalogFinding.Rule(rawValue: name) else {
                let names = CatalogFinding.Rule.allCases.map(\.rawValue)
                throw .usage("there is no rule \(name.shown)\(name.suggestion(among: names))")
            }
            disabled.insert(rule)
        }
        self.disabled = disabled
    }

    private static func list(_ value: String?) -> [String] {
        (value ?? "").split(separator: ",").map { String($0).trimmingCharacters(in: .whitespaces) }
    }

    func run(on console: Console) throws(CommandFailure) -> ExitCode {
        let review = try Self.review(path)
        var findings = review.findings(now: Date())
        if let previous { findings += review.findings(since: try Self.review(previous)) }
        var files = SourceFiles()
        for source in sources { try files.read(source) }
        let listed = try products.map { path throws(CommandFailure) in try Self.products(at: path) } ?? []
        if !sources.isEmpty || products != nil { findings += review.findings(sources: files.texts, listed: listed) }
        for project in files.projects { findings += try Self.findings(review, inProject: project) }
        if let scheme { findings += try Self.findings(review, inScheme: scheme, besides: files.projects) }
        let report = FindingReport(
            file: path, productCount: review.productIDs.count,
            findings: findings.filter { !disabled.contains($0.rule) })
        report.print(format, on: console)
        return report.hasErrors || isStrict && !report.findings.isEmpty ? .failure : .success
    }

    private static func review(_ path: String) throws(CommandFailure) -> CatalogReview {
        let data = try InputFile.read(path, as: "a StoreKit configuration file")
        guard !data.isEmpty else {
            throw CommandFailure(.noInput, "\(path) is empty; expected a StoreKit configuration file.")
        }
        do throws(SimulatedCatalogError) {
            return try CatalogReview(data, path: path)
        } catch {
            throw CommandFailure(.noInput, "\(path) is not a StoreKit configuration file: \("\(error)".asSentence)")
        }
    }

    /// Returns the identifiers in a property list: the elements of arrays, and the keys of dictionaries that contain a
    /// period, or else their values.
    private static func products(at path: String) throws(CommandFailure) -> [SourceLiteral] {
        let data = try InputFile.read(path, as: "a property list")
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) else {
            throw CommandFailure(.noInput, "\(path) is not a property list.")
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return identifiers(in: list).map { id in
            let line = lines.firstIndex { $0.contains(">\(id)<") }
            return SourceLiteral(product: id, file: path, line: (line ?? 0) + 1)
        }
    }

    private static func identifiers(in list: Any) -> [String] {
        switch list {
        case let text as String: [text]
        case let array as [Any]: array.flatMap(identifiers)
        case let dictionary as [String: Any]:
            dictionary.sorted { $0.key < $1.key }.flatMap { key, value in
                key.contains(".") ? [key] : identifiers(in: value)
            }
        default: []
        }
    }

    private static func findings(
        _ review: CatalogReview, inScheme path: String, besides projects: [String]
    ) throws(CommandFailure) -> [CatalogFinding] {
        let text = String(decoding: try InputFile.read(path, as: "a scheme"), as: UTF8.self)
        guard text.contains("<Scheme") else { throw CommandFailure(.noInput, "\(path) is not a scheme of Xcode.") }
        var findings = review.findings(scheme: text, at: path) { file in
            let type = (try? FileManager.default.attributesOfItem(atPath: file))?[.type] as? FileAttributeType
            return type == .typeRegular
        }
        // The project that contains the scheme.
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        while folder.pathComponents.count > 1, folder.pathExtension != "xcodeproj" { folder.deleteLastPathComponent() }
        let project = folder.appendingPathComponent("project.pbxproj").path
        if folder.pathExtension == "xcodeproj", FileManager.default.isReadableFile(atPath: project),
            !projects.contains(where: { URL(fileURLWithPath: $0).standardizedFileURL.path == project })
        {
            findings += try Self.findings(review, inProject: project)
        }
        return findings
    }

    private static func findings(_ review: CatalogReview, inProject path: String) throws(CommandFailure)
        -> [CatalogFinding]
    {
        let data = try InputFile.read(path, as: "a project")
        return review.findings(project: String(decoding: data, as: UTF8.self), at: path)
    }
}
