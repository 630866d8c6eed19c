import StoreKitTest
import XCTest

/// Tests over the environment of the process, one after another, as they're written for Xcode.
final class SessionXCTests: XCTestCase {
    private var session: SKTestSession?

    override func setUp() async throws {
        let session = try SKTestSession(configurationFileNamed: "Session")
        session.resetToDefaultState()
        session.clearTransactions()
        session.disableDialogs = true
        self.session = session
    }

    override func tearDown() async throws {
        session?.clearTransactions()
        session = nil
    }

    func testPurchaseIsOwnedUntilItsRefund() async throws {
        let session = try XCTUnwrap(session)
        let products = try await Product.products(for: ["pro"])
        let result = try await XCTUnwrap(products.first).purchase()
        guard case .success(let verification) = result else { return XCTFail("\(result)") }
        let transaction = try verification.payloadValue
        await transaction.finish()
        XCTAssertEqual(transaction.environment, .xcode)
        var owned = await Transaction.currentEntitlement(for: "pro")
        XCTAssertNotNil(owned)
        try session.refundTransaction(identifier: UInt(transaction.id))
        owned = await Transaction.currentEntitlement(for: "pro")
        XCTAssertNil(owned)
    }

    func testEnvironmentIsEmptyInTheNextTest() async throws {
        let session = try XCTUnwrap(session)
        XCTAssertTrue(session.allTransactions().isEmpty)
        try await session.buyProduct(identifier: "coins")
        XCTAssertEqual(session.allTransactions().map(\.productIdentifier), ["coins"])
    }

    func testStoreKit1PaysThroughTheSameSession() throws {
        let session = try XCTUnwrap(session)
        let isPaid = XCTestExpectation(description: "The payment is paid.")
        let observer = Observer(isPaid)
        SKPaymentQueue.default().add(observer)
        defer { SKPaymentQueue.default().remove(observer) }
        let payment = SKMutablePayment()
        payment.productIdentifier = "coins"
        SKPaymentQueue.default().add(payment)
        wait(for: [isPaid], timeout: 10)
        XCTAssertEqual(session.allTransactions().map { "\($0.identifier)" }, observer.identifiers)
    }

    // @unchecked because: the queue calls its observers one at a time, and the test reads after the expectation.
    private final class Observer: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
        private let isPaid: XCTestExpectation
        private(set) var identifiers: [String] = []

        init(_ isPaid: XCTestExpectation) {
            self.isPaid = isPaid
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .purchased {
                identifiers.append(transaction.transactionIdentifier ?? "")
                queue.finishTransaction(transaction)
                isPaid.fulfill()
            }
        }
    }
}
