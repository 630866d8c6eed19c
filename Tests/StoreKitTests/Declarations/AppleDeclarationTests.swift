import Foundation
import TestHarness
import Testing

/// Compares the module's public declarations with those of Apple's StoreKit, which are tables beside this file.
///
/// The module has all of StoreKit 1. Of StoreKit 2, it has what this package and its users call, and everything that
/// iOS 26.4 to 27 add, except declarations that need UIKit.
@Suite(.bounded) struct AppleDeclarationTests {
    @Test func `every declaration of StoreKit 1 exists in the same form`() throws {
        expectEqual(try Self.module.get().differences(from: Self.table("StoreKit1")), [])
    }

    @Test func `what the module declares of StoreKit 2 has Apple's form and conformances`() throws {
        let module = try Self.module.get()
        let apple = try Self.table("StoreKit2").merging(Self.table("StoreKit2-later"))
        expectEqual(module.differences(from: apple.filtered(by: module)), [])
        let unknown = module.additions(to: apple).filter { addition in
            !Self.withoutInterface.contains { addition.contains($0) }
        }
        expectEqual(unknown, [])
    }

    @Test func `every declaration that iOS 26.4 to 27 add exists in the same form`() throws {
        expectEqual(try Self.module.get().differences(from: Self.table("StoreKit2-later")), [])
    }

    /// Advertising isn't part of the module. Its session also gives access to the simulated App Store.
    @Test func `every declaration of StoreKit Test exists in the same form, and one more`() throws {
        let module = try Self.graph(of: "StoreKitTest")
        let apple = try Self.table("StoreKitTest")
        expectEqual(module.differences(from: apple), [])
        let additions = module.additions(to: apple).filter { addition in
            !["SKTestError.", "SKTestTransaction.description", "Product."].contains { addition.hasPrefix($0) }
        }
        expectEqual(
            additions, ["SKTestSession.appStore exists only here: var appStore: SimulatedAppStore { get }"])
    }

    @Test func `the tables aren't empty`() throws {
        let names = ["StoreKit1", "StoreKit2", "StoreKit2-later", "StoreKitTest"]
        let counts = try names.map { try Self.table($0).declarations.count }
        expectEqual(counts, [205, 400, 93, 151])
    }

    @Test(arguments: [
        ("Product.price\tvar price: Decimal? { get }", "Product.price is var price: Decimal? { get } instead of"),
        ("Product.price\tvar price: Decimal", "Product.price is var price: Decimal { get set } instead of"),
        ("SKPayment.quantity\tvar quantity: Int { get }", "SKPayment.quantity isn't open"),
        ("Product\tstruct Product\tpublic\tSendable", "Product doesn't conform to Equatable, Hashable, Identifiable"),
        ("AppStore.sync()\tstatic func sync() throws", "AppStore.sync() is func sync() throws instead of"),
        (
            "AppStore.canMakePayments\tstatic var canMakePayments: Bool { get }\tpublic\nAppStore.open\tcase open",
            "AppStore.open exists only here: case open"
        ),
    ])
    func `a declaration in another form is found`(rows: String, expected: String) throws {
        let apple = try Self.table("StoreKit1").merging(Self.table("StoreKit2"))
        let broken = DeclarationTable(rows: rows)
        let found = broken.differences(from: apple.filtered(by: broken)) + broken.additions(to: apple)
        #expect(found.contains { $0.hasPrefix(expected) }, "\(found)")
    }

    @Test func `a missing declaration is found`() throws {
        let apple = try Self.table("StoreKit2")
        let found = DeclarationTable(rows: "AppStore\tenum AppStore\tpublic\tSendable").differences(from: apple)
        expectEqual(found.count, apple.declarations.count - 1)
        #expect(found.allSatisfy { $0.contains(" is missing: ") })
    }

    /// Names whose declarations can't be compared: Foundation has `ComponentsFormatStyle` on Apple's platforms only,
    /// and of iOS 27.3, the documentation is public, and the interface isn't.
    private static let withoutInterface = [
        "SubscriptionPeriod.ComponentsFormatStyle", "MultiSeatInfo", "multiSeatInfo", "AdditionalTransactionReason",
        "additionalTransactionReason", "Product.PurchaseOption.seats(_:)", "Product.supportsMultiSeatPurchase",
        "Product.PurchaseError.multiSeatPurchaseDisabled", "RenewalInfo.renewalQuantity",
    ]

    private static func table(_ name: String) throws -> DeclarationTable {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Apple")
        return DeclarationTable(
            rows: try String(contentsOf: folder.appendingPathComponent("\(name).tsv"), encoding: .utf8))
    }

    /// The module beside the tests.
    private static let module = Result { try graph(of: "StoreKit") }

    /// Reads the declarations of a module, and those that it adds to types of StoreKit.
    private static func graph(of name: String) throws -> DeclarationTable {
        let graphs = FileManager.default.temporaryDirectory.appendingPathComponent("StoreKit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: graphs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: graphs) }
        let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("Modules")
        let architecture = try ChildProcess.output(of: URL(fileURLWithPath: "/usr/bin/env"), ["uname", "-m"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        try ChildProcess.output(
            of: URL(fileURLWithPath: "/usr/bin/env"),
            [
                "swift-symbolgraph-extract", "-module-name", name, "-target", "\(architecture)-unknown-linux-gnu",
                "-I", modules.path, "-minimum-access-level", "public", "-output-dir", graphs.path,
            ])
        let read = { try DeclarationTable(symbolGraph: Data(contentsOf: graphs.appendingPathComponent($0))) }
        let own = try read("\(name).symbols.json")
        return name == "StoreKit" ? own : own.merging(try read("\(name)@StoreKit.symbols.json"))
    }
}
