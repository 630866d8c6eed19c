import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct RetentionMessageTests {
    private static let id = UUID(uuidString: "3DB5C98D-8ACF-4E29-831E-8E1F82F9F6E9") ?? UUID()
    private static let identifier = "\"messageIdentifier\":\"3db5c98d-8acf-4e29-831e-8e1f82f9f6e9\""

    private let request: RealtimeRetentionRequest

    init() async throws {
        let fixture = SignedTransactionFixture()
        let token = fixture.issuer.issue(payload: Data(SignedPayloadSamples.realtimeRequest.utf8))
        request = try await fixture.server(nil).realtimeRequest(
            requestBody: Data("{\"signedPayload\":\"\(token)\"}".utf8))
    }

    private static func offer(_ claims: String) -> String {
        let parts = ["{\"alg\":\"ES256\"}", claims, "signature"].map { SimulatedJWSIssuer.base64URL(Data($0.utf8)) }
        return parts.joined(separator: ".")
    }

    private static let signed = offer(
        "{\"aud\":\"promotional-offer\",\"transactionId\":\"2000000123456789\",\"productId\":\"weekly\"}")
    private static let data = Data("{\"signedRequest\":1}".utf8).base64EncodedString()

    @Test(arguments: [
        (RetentionMessage.text(id), "{\"message\":{\(identifier)}}"),
        (.alternateProduct("monthly", text: id), "{\"alternateProduct\":{\(identifier),\"productId\":\"monthly\"}}"),
        (
            .alternateProduct("weekly", billingPlan: .monthly, text: id),
            "{\"alternateProduct\":{\"billingPlanType\":\"MONTHLY\",\(identifier),\"productId\":\"weekly\"}}"
        ),
        (
            .promotionalOffer(signature: signed, text: id),
            "{\"promotionalOffer\":{\(identifier),\"promotionalOfferSignatureV2\":\"\(signed)\"}}"
        ),
        (
            .advancedCommerce(data, text: id),
            "{\"advancedCommerceInfo\":{\"advancedCommerceData\":\"\(data)\",\(identifier)}}"
        ),
    ])
    func `a response has one field of Apple's response body`(message: RetentionMessage, expected: String) throws {
        expectEqual(String(decoding: try request.response(showing: message), as: UTF8.self), expected)
        expectEqual(message.id, Self.id)
    }

    @Test(arguments: [
        (RetentionMessage.alternateProduct("", text: id), "no product identifier"),
        (.alternateProduct("weekly", text: id), "already has weekly"),
        (.promotionalOffer(signature: "", text: id), "isn't a JSON Web Signature"),
        (.promotionalOffer(signature: "e30.e30", text: id), "isn't a JSON Web Signature"),
        (.promotionalOffer(signature: "e30.e30.", text: id), "isn't a JSON Web Signature"),
        (.promotionalOffer(signature: "e30.!.e30", text: id), "isn't a JSON Web Signature"),
        (
            .promotionalOffer(signature: offer("{\"aud\":\"introductory-offer-eligibility\"}"), text: id),
            "isn't that of a promotional offer"
        ),
        (
            .promotionalOffer(signature: offer("{\"aud\":\"promotional-offer\"}"), text: id),
            "doesn't name 2000000123456789"
        ),
        (
            .promotionalOffer(
                signature: offer("{\"aud\":\"promotional-offer\",\"transactionId\":\"2000000123456790\"}"), text: id),
            "doesn't name 2000000123456789"
        ),
        (.advancedCommerce("", text: id), "isn't a JSON object in Base64"),
        (.advancedCommerce("e30!", text: id), "isn't a JSON object in Base64"),
        (.advancedCommerce("W10=", text: id), "isn't a JSON object in Base64"),
    ])
    func `a message that the App Store would ignore is an error`(message: RetentionMessage, expected: String) {
        let error = #expect(throws: RetentionMessageError.self) { try request.response(showing: message) }
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    }
}
