import Foundation

/// A temporary file that the object deletes when it is deinitialized.
final class TemporaryFile: Sendable {
    let url: URL

    init(_ contents: String, name: String = "Test.storekit") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent(name)
        try Data(contents.utf8).write(to: url)
    }

    /// Creates a configuration file with products, each as JSON.
    convenience init(products: [String] = [], subscriptions: [String] = [], settings: String = "{}") throws {
        let groups =
            subscriptions.isEmpty ? "" : #"{"id": "G1", "subscriptions": [\#(subscriptions.joined(separator: ","))]}"#
        try self.init(
            #"{"version": {"major": 2, "minor": 0}, "settings": \#(settings), "products": [\#(products.joined(separator: ","))], "#
                + #""subscriptionGroups": [\#(groups)]}"#)
    }

    deinit {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    var path: String { url.path }

    static func product(_ id: String, _ type: String, price: String = "1.99", name: String = "", more: String = "")
        -> String
    {
        let texts = #"[{"locale": "en_US", "displayName": "\#(name)"}]"#
        return
            #"{"productID": "\#(id)", "type": "\#(type)", "displayPrice": "\#(price)", "localizations": \#(texts)\#(more)}"#
    }

    static func subscription(_ id: String, period: String = "P1M") -> String {
        product(id, "RecurringSubscription", more: #", "recurringSubscriptionPeriod": "\#(period)""#)
    }
}
