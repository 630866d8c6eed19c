/// The meaning of a server's responses to a delivery; see ``HTTPDeliveryOptions/convention``.
///
/// Gateways, firewalls, captive portals and web servers can respond instead of your server. Only a response that they
/// don't send rejects a paid purchase. The first matching row applies:
///
/// | Status | Content type | Body | Meaning |
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
/// - The content type is JSON when it is `application/json`, `text/json` or one that ends in `+json` (RFC 6839); its
///   parameters do not matter. The text is UTF-8 (RFC 8259, 8.1), with or without a byte order mark.
/// - An object reports an error when it has an `error`, `errors` or `errorMessage` that is neither `null` nor `false`
///   nor empty, or a `success` that is `false`. GraphQL and AWS Lambda say so with status 200.
/// - The message is the first text among `message`, `detail` and `title` (RFC 9457) that is not empty.
/// - A delivery that is tried again without `"retryAfter"` waits as long as the header field `Retry-After` asks, or
///   else for a pause that grows with each attempt.
public enum HTTPDeliveryConvention: Sendable, Hashable, CaseIterable {
    /// Only `"decision": "rejected"` rejects a purchase. The default.
    case decisionField
    /// The convention of LOCSubscription: each 4xx with a message also rejects, except 401, 404, 405, 407, 408, 425 and
    /// 429, which are about the request and not about the purchase.
    ///
    /// Use this convention only for a server that you can't change and that has no gateway in front of it. A gateway's
    /// `403 {"message": "Forbidden"}` finishes a paid purchase that the server has never seen.
    case locSubscription
}
