public import AppReceipt
public import Foundation

/// What the App Store shows to a customer who is about to cancel a subscription: one of the four forms of Apple's
/// `RealtimeResponseBody`.
///
/// You upload the messages beforehand with the Retention Messaging API, and Apple approves them. Pass the message to
/// ``RealtimeRetentionRequest/response(showing:)``. If the response is invalid, the App Store shows the default
/// message.
public struct RetentionMessage: Hashable, Sendable {
    /// The identifier of the message that you uploaded.
    public let id: UUID
    private let content: Content

    private enum Content: Hashable, Sendable {
        case text
        case alternateProduct(String, BillingPlan?)
        case promotionalOffer(String)
        case advancedCommerce(String)
    }

    /// Returns a text, with or without an image.
    public static func text(_ id: UUID) -> RetentionMessage {
        RetentionMessage(id: id, content: .text)
    }

    /// Returns a text without an image, with the suggestion to switch to another subscription.
    ///
    /// - Parameters:
    ///   - productID: a product in the group of the customer's subscription.
    ///   - billingPlan: the billing plan of the product; `nil` for the default plan.
    ///   - id: the identifier of the message.
    public static func alternateProduct(
        _ productID: String, billingPlan: BillingPlan? = nil, text id: UUID
    ) -> RetentionMessage {
        RetentionMessage(id: id, content: .alternateProduct(productID, billingPlan))
    }

    /// Returns a text without an image, with a promotional offer.
    ///
    /// - Parameters:
    ///   - signature: the signed offer (`promotionalOfferSignatureV2`), which names the request's
    ///     ``RealtimeRetentionRequest/originalTransactionID`` as `transactionId`. Sign it on your server, for example
    ///     with Apple's App Store Server Library.
    ///   - id: the identifier of the message.
    public static func promotionalOffer(signature: String, text id: UUID) -> RetentionMessage {
        RetentionMessage(id: id, content: .promotionalOffer(signature))
    }

    /// Returns a text without an image, with an offer or another subscription of the Advanced Commerce API.
    ///
    /// - Parameters:
    ///   - data: the signed request to change the subscription, in JSON and Base64 (`advancedCommerceData`).
    ///   - id: the identifier of the message.
    public static func advancedCommerce(_ data: String, text id: UUID) -> RetentionMessage {
        RetentionMessage(id: id, content: .advancedCommerce(data))
    }
}

/// Why a message can't answer a request.
public struct RetentionMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem in one sentence.
    public let description: String
}

extension RealtimeRetentionRequest {
    /// Returns the JSON body of the response that shows a message.
    ///
    /// - Throws: a ``RetentionMessageError`` for a message that the App Store would ignore: an alternate product
    ///   without an identifier, the customer's own product without a billing plan, an offer that isn't signed for this
    ///   subscription, or data that isn't a JSON object in Base64.
    public func response(showing message: RetentionMessage) throws(RetentionMessageError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(message.body(answering: self))
        } catch let error as RetentionMessageError {
            throw error
        } catch {
            throw RetentionMessageError(description: "The response can't be encoded: \(error).")
        }
    }
}

extension RetentionMessage {
    /// Returns `RealtimeResponseBody`: an object with one of four fields.
    fileprivate func body(
        answering request: RealtimeRetentionRequest
    ) throws(RetentionMessageError) -> [String: [String: String]] {
        var fields = ["messageIdentifier": id.uuidString.lowercased()]
        switch content {
        case .text: return ["message": fields]
        case .alternateProduct(let productID, let plan):
            guard !productID.isEmpty else {
                throw RetentionMessageError(description: "The other subscription has no product identifier.")
            }
            guard productID != request.productID || plan != nil else {
                throw RetentionMessageError(
                    description: "The customer already has \(productID). Suggest another product or a billing plan.")
            }
            fields["productId"] = productID
            fields["billingPlanType"] = plan?.rawValue
            return ["alternateProduct": fields]
        case .promotionalOffer(let signature):
            try Self.checkOffer(signature, request)
            fields["promotionalOfferSignatureV2"] = signature
            return ["promotionalOffer": fields]
        case .advancedCommerce(let data):
            guard let bytes = Base64.decode(data), (try? SignedPayloadFields(requestBody: Data(bytes))) != nil else {
                throw RetentionMessageError(description: "The Advanced Commerce data isn't a JSON object in Base64.")
            }
            fields["advancedCommerceData"] = data
            return ["advancedCommerceInfo": fields]
        }
    }

    /// Checks the claims of a signed offer. Apple requires the transaction for a response, but not in an app.
    private static func checkOffer(
        _ signature: String, _ request: RealtimeRetentionRequest
    ) throws(RetentionMessageError) {
        let parts = Array(signature.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty, let payload = try? Base64.decode(parts[1], .urlSafe).get(),
            var claims = try? SignedPayloadFields(requestBody: Data(payload))
        else {
            throw RetentionMessageError(description: "The signature of the offer isn't a JSON Web Signature.")
        }
        guard (try? claims.string("aud")) == "promotional-offer" else {
            throw RetentionMessageError(description: "The signature isn't that of a promotional offer.")
        }
        guard (try? claims.string("transactionId")) == request.originalTransactionID else {
            throw RetentionMessageError(
                description:
                    "The signature of the offer doesn't name \(request.originalTransactionID) as transactionId.")
        }
    }
}
