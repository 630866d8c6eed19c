import Foundation

/// A configuration file of version 4 with parts that a test provides.
struct ConfigurationFile {
    var products = "[]"
    var groups = "[]"
    var nonRenewing = "[]"
    var settings = "{}"
    var version = #"{"major": 4, "minor": 0}"#
    var further = ""

    var data: Data {
        Data(
            """
            {"identifier": "F1", "products": \(products), "nonRenewingSubscriptions": \(nonRenewing), "settings": \(settings),
             "subscriptionGroups": \(groups), "version": \(version)\(further)}
            """.utf8)
    }
}
