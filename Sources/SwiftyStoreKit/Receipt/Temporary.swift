public import AsyncStoreKit
public import Foundation

public protocol InAppRequest: AnyObject {
    func start()
    func cancel()
}

public protocol Purchased {
    var productId: String { get }
    var quantity: Int { get }
    var originalPurchaseDate: Date { get }
}

extension SwiftyStoreKit {
    public static var store: Store { Store() }
}
