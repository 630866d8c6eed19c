import Foundation
import TestHarness
import Testing

/// The shop of the sample app is the pattern that people copy.
@Suite(.bounded) struct ShopLocalizationTests {
    private static let app = DocumentedCode().root.appendingPathComponent("Sources/DemoApp/App")

    private static func text(_ file: String) throws -> String {
        try String(contentsOf: app.appendingPathComponent(file), encoding: .utf8)
    }

    @Test func `each text of the shop is translated, and no other text is`() throws {
        let shop = try ["DemoApp.swift", "DeviceShopView.swift", "PurchaseManagement.swift"].map(Self.text).joined()
        let shown = shop.matches(of: /Text\("([^"]+)"\)/).map { String($0.output.1) }
        let german = try Self.text("de.lproj/Localizable.strings")
        let translated = german.matches(of: /(?m)^"([^"]+)" = "[^"]+";$/).map { String($0.output.1) }
        #expect(shown.count > 5)
        expectEqual(Set(shown), Set(translated))
        expectEqual(Set(translated).count, translated.count)
    }

    @Test func `the shop has what App Review expects where an app sells subscriptions`() throws {
        let view = try Self.text("DeviceShopView.swift") + Self.text("PurchaseManagement.swift")
        for part in ["SubscriptionPicker(", "termsOfUse: URL(", "privacyPolicy: URL(", "ManageSubscriptionsButton("] {
            #expect(view.contains(part), "\(part)")
        }
        #expect(try Self.text("DemoApp.swift").contains("init() {\n            shop = "), "created at launch")
    }
}
