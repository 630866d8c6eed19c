/// The behavior of views that are used without a model.
package enum MissingModel {
    /// Returns the warning for the developer, for the log and, in a debug build, for the screen.
    /// - Parameter view: The name of the view.
    package static func warning(for view: String) -> String {
        "\(view) has no StoreModel. Add .storeModel(_:loading:) to a view that contains it, "
            + "and also to the content of a sheet that a view outside presents."
    }

    /// Returns the warning for a group without a loaded product in the model.
    package static func warning(forGroup groupID: String, of view: String) -> String {
        "\(view) found no product of the subscription group \"\(groupID)\" among the loaded products. "
            + "Add the identifiers of the group's products to .storeModel(_:loading:)."
    }

    /// Returns the warning for a product that the App Store doesn't sell, or that wasn't loaded.
    package static func warning(forProduct productID: String, of view: String) -> String {
        "\(view) found no product \"\(productID)\" among the loaded products. "
            + "Add the identifier to .storeModel(_:loading:), "
            + "and see PurchaseStore.diagnose(_:) if the App Store doesn't return the product."
    }
}
