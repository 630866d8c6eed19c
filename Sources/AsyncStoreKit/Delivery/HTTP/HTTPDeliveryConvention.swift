/// How a server's response to a delivery is read; see ``HTTPDeliveryOptions/convention``.
///
/// Gateways, firewalls, captive portals and web servers respond in the name of the app's server before it has seen anything.
/// Therefore only what nobody else says ends a paid purchase. The first row that fits decides:
///
/// | Status | Content type | Body | What it means |
/// |---|---|---|---|
/// | any | JSON or none | an object with `"decision": "rejected"` | rejected, with the object's message |
/// | any | JSON or none | an object with `"decision": "retryLater"` | tried again, after `"retryAfter"` seconds if it has them |
/// | 2xx | any | empty, or white space | accepted |
/// | 2xx | JSON or none | an object with `"decision": "accepted"` | accepted |
/// | any | JSON or none | an object with any other `decision` | tried again |
/// | 2xx | JSON or none | an object that reports an error, or the value `false` | tried again |
/// | 2xx | JSON or none | any other JSON | accepted |
/// | 4xx | JSON or none | an object with a message, with ``locSubscription`` only | rejected, with that message |
/// | any | any | anything else: HTML, text, JSON that cannot be read | tried again |
///
/// - The content type is JSON when it is `application/json`, `text/json` or one that ends in `+json` (RFC 6839); its parameters
///   do not matter. The text is UTF-8 (RFC 8259, 8.1), with or without a byte order mark.
/// - An object reports an error when it has an `error`, `errors` or `errorMessage` that is neither `null` nor `false` nor
///   empty, or a `success` that is `false`. GraphQL and AWS Lambda say so with status 200.
/// - The message is the first text among `message`, `detail` and `title` (RFC 9457) that is not empty.
/// - What is tried again without `"retryAfter"` waits as long as the header field `Retry-After` asks, or else for a pause that
///   grows with each attempt.
public enum HTTPDeliveryConvention: Sendable, Hashable, CaseIterable {
    /// Only `"decision": "rejected"` refuses a purchase for good. The default.
    case decisionField
    /// As LOCSubscription had it: each 4xx with a message refuses as well, except for 401, 404, 405, 407, 408, 425 and 429,
    /// which speak of the request and not of the purchase.
    ///
    /// Choose it only for a server that cannot be changed and that nothing stands in front of: a gateway's
    /// `403 {"message": "Forbidden"}` finishes a purchase that is paid for and that the server has never seen.
    case locSubscription
}
